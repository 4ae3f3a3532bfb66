// SPDX-License-Identifier: BSD-3-Clause
// Operations as SciJava commands, and images of Drua as parameters of scripts.
// only: scijava
// expect: true
// expect: Drua: Gaussian blur: sigma_x 0.0 to 1000.0, 1.0
// expect: mean_box of point [0.0, 3.0, 3.0, 3.0, 0.0]
// expect: [maximum:9.0]
// expect: [9.0, 0.0, 0.0, 0.0, 9.0]
// expect: meanBox: source is missing; choose an image or a file
// expect: meanBox: ImageJ cannot open missing.tif
// expect: [0.0, 9.0, 9.0, 9.0, 0.0] from BeanShell
// expect: ImagePlus 5x1x1 float32 and 9.0
import drua.Drua
import drua.Image
import drua.engine.Registry
import ij.IJ
import ij.ImagePlus
import java.util.concurrent.ExecutionException
import org.scijava.Context
import org.scijava.command.CommandService
import org.scijava.convert.ConvertService
import org.scijava.log.LogService
import org.scijava.module.ModuleService
import org.scijava.plugin.PluginInfo
import org.scijava.plugin.PluginService
import org.scijava.script.AdaptedScriptLanguage
import org.scijava.script.ScriptLanguage
import org.scijava.script.ScriptService

/** Replaces the plugin scripting-beanshell, which only Fiji has. */
class BeanShell extends AdaptedScriptLanguage {
    BeanShell() {
        super("beanshell")
    }
}

def context = new Context(CommandService, ConvertService, ModuleService, ScriptService)
context.service(LogService).level = LogService.NONE // else SciJava prints the traces of the mistakes below
context.service(PluginService).addPlugin(new PluginInfo(BeanShell, ScriptLanguage))
def commands = context.service(CommandService)
def run = { String name, Map inputs -> commands.run("drua.scijava.operations." + name, true, inputs).get() }
def pixels = { ImagePlus image -> image.getProcessor().getPixels() as List }
def mistake = { Map inputs ->
    try {
        println "no mistake was found: ${run("MeanBox", inputs).outputs}"
    } catch (ExecutionException e) {
        println e.cause.cause.message
    }
}

Drua.devices() // loads the registry
def operations = Registry.get().operations.values().count { !it.host }
println context.service(ModuleService).modules.count { it.label?.startsWith("Drua: ") } == operations
def info = commands.getCommand("drua.scijava.operations.GaussianBlur"), sigma = info.getInput("sigma_x")
println "$info.label: $sigma.name $sigma.minimumValue to $sigma.maximumValue, ${info.createModule().getInput("sigma_x")}"

def image = IJ.createImage("point", "32-bit black", 5, 1, 1)
image.getProcessor().setf(2, 0, 9)
def mean = run("MeanBox", [source: image, radius_x: 1, radius_y: 0]).getOutput("destination")
println "$mean.title ${pixels(mean)}"
println run("MaximumOfAllPixels", [source: image]).outputs
def shifted = File.createTempFile("shifted", ".tif")
shifted.deleteOnExit()
def ends = IJ.createImage("ends", "32-bit black", 5, 1, 1)
ends.getProcessor().setf(0, 0, 9)
ends.getProcessor().setf(4, 0, 9)
IJ.saveAsTiff(ends, shifted.path)
println pixels(run("Copy", [source_file: shifted]).getOutput("destination"))
mistake([:])
mistake([source_file: new File("missing.tif")])

def script = """#@ drua.Image image
#@output ij.ImagePlus result
#@output String language
result = image.getDrua().maximumBox(image, 1, 0, 0);
language = "BeanShell";
"""
def module = context.service(ScriptService).run("wider.bsh", script, true, [image: image]).get()
println "${pixels(module.getOutput("result"))} from ${module.getOutput("language")}"
def converter = context.service(ConvertService), onDevice = converter.convert(image, Image)
def back = converter.convert(onDevice, ImagePlus)
println "${back.class.simpleName} $onDevice and ${back.getProcessor().getf(2, 0)}"
context.dispose()
