/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lets FFmpeg's libraries access files by descriptor. */
#pragma once

#include <glib.h>
#include <libavformat/avio.h>

G_BEGIN_DECLS

/* Returns a context that reads the file of @fd from its start or, if @writes,
 * writes it. A pipe is accessed at its current position. Returns NULL if there
 * is no memory. The caller owns the descriptor, which must outlive the
 * context. */
AVIOContext *denoise_io_new (gint fd, gboolean writes, gboolean is_pipe);

/* Frees *@io, which may be NULL, and sets it to NULL. Unflushed data is
 * lost. */
void denoise_io_free (AVIOContext ** io);

G_END_DECLS
