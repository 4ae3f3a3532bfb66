/* SPDX-License-Identifier: BSD-3-Clause */
#include "command_table.h"

#include "deconvolve.h"
#include "describe_operation.h"
#include "help.h"
#include "list_devices.h"
#include "process.h"
#include "slurm.h"
#include "tune_chains.h"

#include <stddef.h>

#define FLAG(name_, doc_)                                                                                              \
    {                                                                                                                  \
        .name = name_, .doc = doc_                                                                                     \
    }
#define OPTION(name_, value_, doc_)                                                                                    \
    {                                                                                                                  \
        .name = name_, .value = value_, .doc = doc_                                                                    \
    }
#define REPEATED(name_, value_, doc_)                                                                                  \
    {                                                                                                                  \
        .name = name_, .value = value_, .doc = doc_, .repeats = true                                                   \
    }
#define END                                                                                                            \
    {                                                                                                                  \
        .name = NULL                                                                                                   \
    }
#define OVERWRITE FLAG("--overwrite", "replace existing output")
#define SHARE_DEVICE                                                                                                   \
    OPTION("--devices", "all|job|NAME,...", "devices that compute; job: those that a scheduler assigned")
#define ENDS FLAG("--ends-with-input", "stop when standard input closes, for example because the parent process ended")
#define PLAN_OPTIONS                                                                                                   \
    OPTION("--memory", "SIZE", "memory of a device, such as 8GB"),                                                     \
        OPTION("--host-memory", "SIZE", "host memory, such as 8GB"), OPTION("--block", "X,Y,Z", "pixels of a block"),  \
        OPTION("--chunk", "X,Y,Z", "pixels of a chunk of OUT"),                                                        \
        OPTION("--shard", "X,Y,Z", "pixels of a shard of OUT"), OPTION("--compression", "NAME", "compression of OUT"), \
        OPTION("--zarr", "0.4|0.5", "OME-Zarr version of OUT"),                                                        \
        OPTION("--series", "NAME", "of a path with several images: name, or number from 1; default: the first"),       \
        OPTION("--level", "N", "resolution level of IN that is read; default 0, the largest"),                         \
        OPTION("--origin", "X,Y,Z", "first pixel of the box of IN that is processed, from 0; default: 0,0,0"),         \
        OPTION("--size", "X,Y,Z", "pixels of this box; default, or 0: to the end"),                                    \
        OPTION("--frames", "N|A-B", "frames of IN that are processed, from 1; default: all"),                          \
        OPTION("--margin", "N",                                                                                        \
               "pixels around a block that watersheds, distance maps and Voronoi regions read; default 64"),           \
        REPEATED("--channel", "NAME=CHANNEL",                                                                          \
                 "image NAME of the pipeline is a channel: its number from 1, or its name"),                           \
        REPEATED("--input", "NAME=FILE", "image NAME of the pipeline is another image of the same extent"),            \
        OPTION("--labels", "yes|no", "write all results as labels, or none; default: those made from labels"),         \
        OPTION("--store", "yes|no", "store expensive images between passes if that is faster; default yes"),           \
        OPTION("--device", "NAME", "device that makes the plan"), SHARE_DEVICE,                                        \
        FLAG("--provenance", "write to OUT.json how a TIFF was made"),                                                 \
        FLAG("--anew", "discard the blocks of an earlier plan"), OVERWRITE, ENDS

static const drua_tool_option no_options[] = {END};

static const drua_tool_option of_devices[] = {
    FLAG("--json", "print JSON with the address, name and memory of each device"),
    FLAG("--spark-json", "print the line that Spark's discovery script expects"),
    FLAG("--job", "print the names of the devices that 'drua run --devices job' uses"), END};

static const drua_tool_option of_deconvolve[] = {OPTION("truth=", "FILE", "compare each result with this image"),
                                                 OVERWRITE, END};

static const drua_tool_option of_phantom[] = {OPTION("kind=", "bars|beads", "the object; default bars"),
                                              OPTION("width=", "N", "pixels along x; default 64"),
                                              OPTION("height=", "N", "pixels along y; default 64"),
                                              OPTION("depth=", "N", "slices; default 32"),
                                              OPTION("photons=", "N", "photons for each grey level; default 3"),
                                              OPTION("background=", "N", "background in grey levels; default 20"),
                                              OPTION("read_noise=", "N", "noise of the camera; default 0"),
                                              OPTION("seed=", "N", "seed of the random numbers; default 1"),
                                              OPTION("pixel=", "N", "pixel size in micrometres; default 0.1"),
                                              OPTION("slice=", "N", "slice distance in micrometres; default 0.2"),
                                              OPTION("channels=", "N", "number of channels; default 1"),
                                              OPTION("frames=", "N", "number of frames; default 1"),
                                              OVERWRITE,
                                              END};

static const drua_tool_option of_plan[] = {
    {.name = "-o", .value = "PLAN.json", .doc = "file of the plan", .needed = true},
    FLAG("--share", "leave the passes over all blocks to the processes that run the plan"),
    PLAN_OPTIONS,
    END};

static const drua_tool_option of_process[] = {PLAN_OPTIONS, END};

static const drua_tool_option of_run[] = {OPTION("--blocks", "A:B", "only the blocks from A to before B"),
                                          OPTION("--array", "I/N", "only the I-th of N equal parts, I from 0"),
                                          OPTION("--pass", "K", "only the K-th pass of a plan made with --share"),
                                          SHARE_DEVICE,
                                          ENDS,
                                          END};

static const drua_tool_option of_finish[] = {FLAG("--no-verify", "check only that files exist and have their lengths"),
                                             ENDS, END};

static const drua_tool_option of_verify[] = {ENDS, END};

static const drua_tool_option of_status[] = {FLAG("--open", "list the unfinished blocks, one range A:B per line"),
                                             OPTION("--html", "FILE", "write a page with progress, rates and a map"),
                                             ENDS, END};

static const drua_tool_option of_slurm[] = {
    OPTION("--array", "ELEMENTS", "number of jobs in the array; default 16"),
    OPTION("--at-once", "ELEMENTS", "number of jobs that run at once"),
    OPTION("--time", "T", "time limit of each job, such as 4:00:00; auto: from the time of finished blocks"),
    OPTION("--partition", "P", "partition"),
    OPTION("--account", "A", "account"),
    OPTION("--qos", "Q", "quality of service"),
    OPTION("--gpus", "N|TYPE:N|all", "GPUs of each job; default 1; all: each job takes a whole node"),
    OPTION("--cpus", "N", "CPU cores of each job"),
    OPTION("--memory", "SIZE", "memory of each job, such as 64G"),
    OPTION("--constraint", "FEATURE", "features of the nodes"),
    OPTION("--mail", "ADDRESS", "tell this address about failures"),
    OPTION("--before", "COMMAND", "shell command before drua: 'module load cuda'"),
    OPTION("--scratch", "FOLDER", "compute on copies in this folder, which all nodes see"),
    OPTION("--container", "FILE.sif", "run drua in this Apptainer container"),
    END};

static const char about_pipeline[] =
    "PIPELINE is a file of macro commands, or an operation whose settings follow, such as gaussian_blur sigma_x=2.\n"
    "IN is OME-Zarr, N5, TIFF or a list of tiles (.csv, .txt); OUT is OME-Zarr or TIFF. An existing OUT of another "
    "plan "
    "stays unless --overwrite is given.";

static int print_help(const drua_tool_command *command, int count, char **arguments)
{
    return drua_tool_help(drua_tool_commands, command, count, arguments);
}

const drua_tool_command drua_tool_commands[] = {
    {"devices", false, "", 0, 0, DRUA_TOOL_NO_SETTINGS, "List the OpenCL devices of this computer.", "", of_devices,
     drua_tool_devices},
    {"check", false, "", 0, 0, DRUA_TOOL_NO_SETTINGS, "Test the OpenCL library, the cache folder and each device.", "",
     no_options, drua_tool_check},
    {"describe", false, "[OPERATION]", 0, 1, DRUA_TOOL_NO_SETTINGS, "Print an operation, or all operations as JSON.",
     "", no_options, drua_tool_describe},
    {"deconvolve", false, "IN.tif PSF.tif OUT.tif", 3, 3, DRUA_TOOL_DECONVOLVE,
     "Undo the blur of a microscope, for all channels and frames of a TIFF.",
     "PSF.tif is the point spread function, which is the image of a point. Channel n of IN.tif uses channel n of "
     "PSF.tif, or the first channel if PSF.tif has fewer. An existing OUT.tif stays unless --overwrite is given.",
     of_deconvolve, drua_tool_deconvolve},
    {"phantom", false, "FOLDER", 1, 1, DRUA_TOOL_LISTED_SETTINGS, "Write test images for deconvolution.",
     "Writes truth.tif, psf.tif and image.tif into FOLDER. Existing files stay unless --overwrite is given.",
     of_phantom, drua_tool_phantom},
    {"process", false, "PIPELINE IN OUT", 3, 3, DRUA_TOOL_ANY_SETTINGS,
     "Process an image block by block; the same command resumes after an interruption.", about_pipeline, of_process,
     drua_tool_process},
    {"plan", false, "PIPELINE IN OUT", 3, 3, DRUA_TOOL_ANY_SETTINGS,
     "Write a plan that several processes or computers can run.", about_pipeline, of_plan, drua_tool_process},
    {"run", false, "PLAN.json", 1, 1, DRUA_TOOL_NO_SETTINGS, "Compute the unfinished blocks of a plan.", "", of_run,
     drua_tool_process},
    {"finish", false, "PLAN.json", 1, 1, DRUA_TOOL_NO_SETTINGS, "Verify all blocks and give the output its name.", "",
     of_finish, drua_tool_process},
    {"verify", false, "PLAN.json", 1, 1, DRUA_TOOL_NO_SETTINGS, "Compare the files of all blocks with their checksums.",
     "", of_verify, drua_tool_process},
    {"status", false, "PLAN.json", 1, 1, DRUA_TOOL_NO_SETTINGS, "Print the progress of a plan.", "", of_status,
     drua_tool_process},
    {"slurm", false, "PLAN.json", 1, 1, DRUA_TOOL_NO_SETTINGS, "Write the SLURM jobs that run a plan on a cluster.", "",
     of_slurm, drua_tool_slurm},
    {"tune", false, "[DIVISOR]", 0, 1, DRUA_TOOL_NO_SETTINGS, "Compile and time common chains and filters in advance.",
     "DIVISOR, from 1 to 1024, divides the sizes of the images.", no_options, drua_tool_tune},
    {"version", false, "", 0, 0, DRUA_TOOL_NO_SETTINGS, "Print the version.", "", no_options, drua_tool_version},
    {"help", false, "[COMMAND]", 0, 1, DRUA_TOOL_NO_SETTINGS, "Explain a command, or list all commands.", "",
     (const drua_tool_option[]){FLAG("--man", "print the manual page drua(1)"),
                                FLAG("--bash", "print a script for completion in bash"),
                                FLAG("--zsh", "print a script for completion in zsh"), END},
     print_help},
    {.name = NULL}};
