/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lets FFmpeg's libraries read and write the file of a descriptor. */
#pragma once

#include <glib.h>
#include <libavformat/avio.h>

G_BEGIN_DECLS

/* Returns a context that reads the file of @fd from its start or, if
 * @writes, writes it. A pipe is read and written where it is. Returns NULL
 * if there is no memory. The descriptor stays the caller's, and must outlive
 * the context. */
AVIOContext *denoise_io_new (gint fd, gboolean writes, gboolean is_pipe);

/* Frees *@io, which may be NULL, and sets it to NULL. What is not flushed is
 * lost. */
void denoise_io_free (AVIOContext ** io);

G_END_DECLS
