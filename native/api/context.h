/* SPDX-License-Identifier: BSD-3-Clause */
/* Private data of a context: handles and names. Members of drua_context are accessed while its lock is held. */
#ifndef DRUA_API_CONTEXT_H
#define DRUA_API_CONTEXT_H

#include <drua/drua.h>

#include "engine_calls.h"
#include "text.h"

#include <pthread.h>

typedef struct slot {
    uint32_t generation;
    drua_value *value;      /* NULL: the slot is free */
    char *metadata;         /* owned; NULL: none */
    bool labels;            /* made by an operation that makes label maps */
    bool listed; /* the memory report that is being written already has a line for this image */
} slot;

typedef struct name_entry {
    char *name;             /* owned */
    uint64_t hash;
    drua_image image;
    const void *maker; /* the command argument that created this image; NULL: created in another way */
    bool is_result; /* the command that created this image computed it from other images */
    int line; /* line of the macro that called the command; 0: unknown */
} name_entry;

struct drua_context {
    uint32_t tag; /* part of every handle of this context; never 0 */
    pthread_rwlock_t
        opened; /* read lock: a call uses the device, even if it has released `lock`; write lock: the device changes */
    pthread_mutex_t lock;
    char *selector;             /* selector of drua_open; owned */
    char *budget; /* budget of drua_set_memory; owned; NULL: not set */
    char note[512], warning[640]; /* messages about the device that drua_open chose */
    drua_device *device;
    drua_engine engine;
    drua_progress_callback watch; /* function of drua_set_progress_callback; NULL: none */
    void *watch_payload;
    slot *slots;
    size_t slot_count, slot_capacity;
    name_entry *names;
    size_t name_count, name_capacity;
    bool traced;
    drua_text trace;
    drua_text misfit; /* message for drua_take_misfit */
};

/* Begins a call: takes the lock and sets the C locale for numbers; from now on drua_cancel stops the call. Do not call
 * drua_leave if this fails. */
__attribute__((warn_unused_result)) drua_status drua_enter(drua_context *context);
void drua_leave(drua_context *context);

/* As drua_enter, for calls that record work, move pixels or wait: also fails if the call should stop already. */
__attribute__((warn_unused_result)) drua_status drua_enter_work(drua_context *context);

/* Like drua_invoke, for functions of drua.h: errors do not begin with the operation's name. `operation` must exist. */
drua_status drua_invoke_inside(drua_context *context, const char *operation, drua_argument *arguments, size_t count);

/* Returns a number from 1 to 2^26 - 1 that differs from those of the last 2^26 - 2 contexts of this process. */
uint32_t drua_new_context_tag(void);

/* Returns the slot of a valid handle, or NULL after setting the error message. */
slot *drua_slot(drua_context *context, drua_image image);

/* Creates a slot for a value; takes ownership of the caller's reference, also on failure. */
drua_status drua_slot_new(drua_context *context, drua_value *value, drua_image *image);

/* Releases an image and its names, if the handle is valid. */
void drua_slot_release(drua_context *context, drua_image image);

/* Frees all slots and names. */
void drua_forget_images(drua_context *context);

/* Returns the image with this name, or 0 if there is no such image. */
drua_image drua_name_image(const drua_context *context, const char *name);

/*
 * Records the argument of a command and the line of the macro that made the image with this name, and whether the
 * command computed it from other images.
 */
void drua_name_note_maker(drua_context *context, const char *name, const void *maker, bool is_result, int line);

/* Returns true if this argument in this line made the image with this name. */
bool drua_name_has_maker(const drua_context *context, const char *name, const void *maker, int line);

/* Returns true if a command computed the image with this name from other images. */
bool drua_name_is_result(const drua_context *context, const char *name);

/* Fails because the parameter's image does not exist; the message lists the most similar names. */
drua_status drua_fail_unknown_image(const drua_context *context, const char *param, const char *name);

/* Like drua_bind, but the image must exist. */
drua_status drua_name_set(drua_context *context, const char *name, drua_image image);

/* Copies the members of a structure that a caller knows, and sets those that only the caller knows to 0. */
void drua_copy_known(void *to, size_t to_size, const void *from, size_t from_size);

/* A text buffer of this thread, for results that are "valid until the thread's next call". */
drua_text *drua_thread_text(void);

#endif
