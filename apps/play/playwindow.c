/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playwindow.h"

#define VALUES_INTERVAL 200     /* milliseconds */

struct _PlayWindow
{
  GtkWidget *window;
  GtkWidget *video;
  GtkWidget *values;
  GtkWidget *help;
  GtkWidget *line;              /* where the picture is split */
  PlaySession *session;
  PlayWindowClosed closed;
  gpointer data;
  guint timer;
  gboolean has_size;
  gboolean is_full_screen;
  gboolean is_dragging;
};

#define LINE_WIDTH 2

static const gchar style[] =
    "separator { background-color: white; }"
    "label { font-family: monospace; color: white; padding: 6px;"
    "  background-color: rgba(0, 0, 0, 0.6); }";

/* As large as the frames, or as large as the screen allows. */
static void
fit (PlayWindow * self)
{
  GdkRectangle area;
  gint width, height;

  if (self->has_size
      || !play_pipeline_get_size (self->session->pipeline, &width, &height))
    return;
  self->has_size = TRUE;
  GdkDisplay *display = gtk_widget_get_display (self->window);
  GdkMonitor *monitor = gdk_display_get_monitor_at_window (display,
      gtk_widget_get_window (self->window));
  gdk_monitor_get_workarea (monitor, &area);
  const gdouble scale = MIN (1.0, MIN (0.9 * area.width / width,
          0.9 * area.height / height));
  gtk_window_resize (GTK_WINDOW (self->window), MAX (width * scale, 160),
      MAX (height * scale, 120));
}

/* Returns the width of the frame on the screen, 0 before there is one. There
 * are bars beside it or above it. */
static gdouble
get_shown_width (PlayWindow * self)
{
  const gdouble width = gtk_widget_get_allocated_width (self->video);
  const gdouble height = gtk_widget_get_allocated_height (self->video);
  gint frame_width, frame_height;

  return play_pipeline_get_size (self->session->pipeline, &frame_width,
      &frame_height) ? MIN (width, height * frame_width / frame_height) : 0.0;
}

static void
place_line (PlayWindow * self)
{
  PlayView *view = play_pipeline_get_view (self->session->pipeline);
  const gdouble width = gtk_widget_get_allocated_width (self->video);
  const gdouble shown = get_shown_width (self);
  const gint x = (width - shown) / 2 + play_view_get_split (view) * shown
      - LINE_WIDTH / 2;

  if (gtk_widget_get_margin_start (self->line) != MAX (x, 0))
    gtk_widget_set_margin_start (self->line, MAX (x, 0));
  gtk_widget_set_visible (self->line,
      play_view_get_mode (view) == PLAY_VIEW_SPLIT);
}

static gboolean
update (gpointer data)
{
  PlayWindow *self = data;
  PlaySession *session = self->session;
  g_autofree gchar *values = play_session_print_values (session);

  fit (self);
  place_line (self);
  gtk_label_set_text (GTK_LABEL (self->values), values);
  gtk_widget_set_visible (self->values, session->shows_values);
  gtk_widget_set_visible (self->help, session->shows_help);
  if (session->is_full_screen != self->is_full_screen) {
    self->is_full_screen = session->is_full_screen;
    if (self->is_full_screen)
      gtk_window_fullscreen (GTK_WINDOW (self->window));
    else
      gtk_window_unfullscreen (GTK_WINDOW (self->window));
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
press_key (GtkWidget * widget G_GNUC_UNUSED, GdkEventKey * event, gpointer data)
{
  PlayWindow *self = data;

  if (!play_session_press (self->session, event->keyval))
    return GDK_EVENT_PROPAGATE;
  /* X servers and Wayland's count as GLib does, in milliseconds. */
  GST_DEBUG ("key %s done %u ms after it was pressed",
      gdk_keyval_name (event->keyval),
      (guint32) (g_get_monotonic_time () / 1000) - event->time);
  update (self);
  if (self->session->quits)
    self->closed (self->data);
  return GDK_EVENT_STOP;
}

static void
split_at (PlayWindow * self, gdouble x)
{
  const gdouble width = gtk_widget_get_allocated_width (self->video);
  const gdouble shown = get_shown_width (self);

  if (shown > 0.0) {
    play_session_split (self->session, (x - (width - shown) / 2) / shown);
    place_line (self);
  }
}

static gboolean
press_button (GtkWidget * widget G_GNUC_UNUSED, GdkEventButton * event,
    gpointer data)
{
  PlayWindow *self = data;

  if (event->button != GDK_BUTTON_PRIMARY)
    return GDK_EVENT_PROPAGATE;
  self->is_dragging = event->type == GDK_BUTTON_PRESS;
  if (self->is_dragging)
    split_at (self, event->x);
  return GDK_EVENT_PROPAGATE;
}

static gboolean
move_mouse (GtkWidget * widget G_GNUC_UNUSED, GdkEventMotion * event,
    gpointer data)
{
  PlayWindow *self = data;

  if (self->is_dragging)
    split_at (self, event->x);
  return GDK_EVENT_PROPAGATE;
}

static gboolean
close_window (GtkWidget * widget G_GNUC_UNUSED, GdkEvent * event G_GNUC_UNUSED,
    gpointer data)
{
  PlayWindow *self = data;

  self->closed (self->data);
  return GDK_EVENT_STOP;
}

static GtkWidget *
add_line (GtkWidget * overlay)
{
  GtkWidget *line = gtk_separator_new (GTK_ORIENTATION_VERTICAL);

  gtk_widget_set_size_request (line, LINE_WIDTH, -1);
  gtk_widget_set_halign (line, GTK_ALIGN_START);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), line);
  gtk_overlay_set_overlay_pass_through (GTK_OVERLAY (overlay), line, TRUE);
  return line;
}

static GtkWidget *
add_label (GtkWidget * overlay, GtkAlign horizontal, const gchar * text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_widget_set_halign (label, horizontal);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), label);
  gtk_overlay_set_overlay_pass_through (GTK_OVERLAY (overlay), label, TRUE);
  return label;
}

static void
add_style (GtkWidget * window)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_data (provider, style, -1, NULL);
  gtk_style_context_add_provider_for_screen (gtk_widget_get_screen (window),
      GTK_STYLE_PROVIDER (provider), GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

PlayWindow *
play_window_new (GtkWidget * widget, PlaySession * session,
    const gchar * title, PlayWindowClosed closed, gpointer data)
{
  PlayWindow *self = g_new0 (PlayWindow, 1);
  GtkWidget *overlay = gtk_overlay_new ();
  g_autofree gchar *help = play_session_print_help ();

  self->session = session;
  self->closed = closed;
  self->data = data;
  self->video = widget;
  self->window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  gtk_window_set_title (GTK_WINDOW (self->window), title);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 640, 360);
  add_style (self->window);
  gtk_container_add (GTK_CONTAINER (overlay), widget);
  self->line = add_line (overlay);
  self->values = add_label (overlay, GTK_ALIGN_START, NULL);
  self->help = add_label (overlay, GTK_ALIGN_END, help);
  gtk_container_add (GTK_CONTAINER (self->window), overlay);
  gtk_widget_add_events (widget, GDK_BUTTON_PRESS_MASK
      | GDK_BUTTON_RELEASE_MASK | GDK_POINTER_MOTION_MASK);
  g_signal_connect (widget, "button-press-event", G_CALLBACK (press_button),
      self);
  g_signal_connect (widget, "button-release-event", G_CALLBACK (press_button),
      self);
  g_signal_connect (widget, "motion-notify-event", G_CALLBACK (move_mouse),
      self);
  g_signal_connect (self->window, "key-press-event", G_CALLBACK (press_key),
      self);
  g_signal_connect (self->window, "delete-event", G_CALLBACK (close_window),
      self);
  gtk_widget_show_all (self->window);
  gtk_widget_hide (self->help);
  gtk_widget_hide (self->line);
  self->timer = g_timeout_add (VALUES_INTERVAL, update, self);
  return self;
}

void
play_window_free (PlayWindow * self)
{
  g_source_remove (self->timer);
  gtk_widget_destroy (self->window);
  g_free (self);
}
