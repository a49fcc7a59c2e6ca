/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parts of a video that were filtered and encoded by themselves
 * (denoisesegment.h), as the packets of one track: they are joined without
 * encoding again. One thread calls all functions. */
#pragma once

#include "denoiseoptions.h"
#include "denoisereport.h"
#include "denoisesegment.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

G_BEGIN_DECLS

typedef struct _DenoiseParts DenoiseParts;

/* Returns the parts in the files of @names, an array that ends with NULL, in
 * their order. Both arguments must outlive @self, which the caller frees. */
DenoiseParts *denoise_parts_new (gchar ** names, DenoiseReport * report);
/* @self may be NULL. */
void denoise_parts_free (DenoiseParts * self);

/* Says what encoder the parts must have been made with, before the first packet
 * is read. @length is that of a frame in its time base. @encoder must outlive
 * @self. */
void denoise_parts_set_encoder (DenoiseParts * self,
    const AVCodecContext * encoder, gint64 length);

/* Reads the next packet of all parts, with its times in the time base of the
 * encoder. Returns FALSE at the end; and also, with an error in the report, if
 * a part cannot be read, is truncated or damaged, does not begin where the one
 * before ends, or was made with other settings. */
gboolean denoise_parts_read (DenoiseParts * self, AVPacket * packet);

/* Returns what is added to all times of a part in @time_base, so that none is
 * negative: its container has no such times. */
gint64 denoise_parts_get_offset (AVRational time_base);

/* Says in the tags of a part, @format, which one it is. */
void denoise_parts_tag (AVFormatContext * format,
    const DenoiseSegment * segment);

/* Writes an empty first line of a part, before its header. */
void denoise_parts_reserve_seal (AVIOContext * io);

/* Fills in the first line of a finished part: size and checksum, so that a part
 * that was truncated or damaged later is not joined. Returns FALSE and sets
 * errno on failure. */
gboolean denoise_parts_seal (gint fd);

/* Returns whether @name is a part that is complete and undamaged. */
gboolean denoise_parts_is_sound (const gchar * name);

/* Returns the hidden folder, beside the output, for the parts of a long film
 * until it is done. Its name is another one for another input, and for other
 * options that change the video. The caller frees the text. */
gchar *denoise_parts_name_folder (const DenoiseOptions * options);

/* Opens the folder, and locks it until the descriptor, which is returned, is
 * closed. Returns -1 if it cannot be made, or if another run uses it. */
gint denoise_parts_lock (const gchar * folder);

/* Returns how many complete parts are in @folder, and sets @bytes to the
 * size of all of its files. */
guint denoise_parts_measure (const gchar * folder, gint64 * bytes);

/* Removes a folder for parts, unless another run uses it. */
void denoise_parts_remove_folder (const gchar * folder);

/* Removes all folders for parts of the output, also those of other options,
 * unless another run uses them. */
void denoise_parts_remove (const DenoiseOptions * options);

G_END_DECLS
