/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parts of a video that were filtered and encoded separately
 * (DenoiseSegment), as the packets of one track. They are joined without
 * encoding again. Must be called from one thread. */
#pragma once

#include "denoiseoptions.h"
#include "denoisereport.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

G_BEGIN_DECLS

typedef struct _DenoiseParts DenoiseParts;

/* Returns a reader of the files @names, an array that ends with NULL, in this
 * order. Both arguments must outlive @self, which the caller frees. */
DenoiseParts *denoise_parts_new (gchar ** names, DenoiseReport * report);
/* @self may be NULL. */
void denoise_parts_free (DenoiseParts * self);

/* Sets the encoder that the parts must have been made with. Must be called
 * before the first packet is read. @length is the duration of a frame in the
 * encoder's time base. @encoder must outlive @self. */
void denoise_parts_set_encoder (DenoiseParts * self,
    const AVCodecContext * encoder, gint64 length);

/* Reads the next packet of all parts, with its times in the time base of the
 * encoder. Returns FALSE at the end. Also returns FALSE and sets the report's
 * error if a part cannot be read, is truncated or damaged, does not begin at
 * the end of the previous part, or was made with other settings. */
gboolean denoise_parts_read (DenoiseParts * self, AVPacket * packet);

/* Returns the offset added to all times of a part in @time_base. It avoids
 * negative times, which the container of parts does not support. */
gint64 denoise_parts_get_offset (AVRational time_base);

/* Stores the segment in the tags of the part @format. */
void denoise_parts_tag (AVFormatContext * format,
    const DenoiseSegment * segment);

/* Writes the empty first line (seal) of a part, before its header. */
void denoise_parts_reserve_seal (AVIOContext * io);

/* Fills in the first line of a finished part: size and checksum. So a part that
 * was truncated or damaged later is not joined. Returns FALSE and sets errno on
 * failure. */
gboolean denoise_parts_seal (gint fd);

/* Returns whether @name is a complete and undamaged part. */
gboolean denoise_parts_is_sound (const gchar * name);

/* Returns the hidden folder, beside the output, for the parts of a long video
 * until it is complete. Its name depends on the input and on the options that
 * change the video. The caller frees the text. */
gchar *denoise_parts_name_folder (const DenoiseOptions * options);

/* Opens the folder, and locks it until the returned descriptor is closed.
 * Returns -1 if it cannot be created, or if another run uses it. */
gint denoise_parts_lock (const gchar * folder);

/* Removes the parts in the folder of @lock unless they were made with the
 * filter @description (denoise_filter_describe()): the name of the folder
 * depends on the name of a preset, but not on its content. */
void denoise_parts_check_filter (const gchar * folder, gint lock,
    const gchar * description);

/* Returns the number of complete parts in @folder, and sets @bytes to the size
 * of all of its files. */
guint denoise_parts_measure (const gchar * folder, gint64 * bytes);

/* Removes a parts folder, unless another run uses it. */
void denoise_parts_remove_folder (const gchar * folder);

/* Removes all parts folders of the output, including those of other options,
 * unless another run uses them. */
void denoise_parts_remove (const DenoiseOptions * options);

G_END_DECLS
