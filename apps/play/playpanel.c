/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playpanel.h"

#include <math.h>

#define WIDTH 340

/* A parameter. @control is a GtkScale, a GtkSwitch, a GtkComboBoxText, a GtkBox
 * with a GtkCheckButton for each flag, or a GtkColorButton. */
typedef struct
{
  PlayPanel *panel;
  guint n;                      /* of the session's parameters */
  GtkWidget *name;
  GtkWidget *control;
} Row;

struct _PlayPanel
{
  PlaySession *session;
  GtkWidget *scroller;
  GtkWidget *viewport;
  GtkWidget *grid;              /* NULL while no file is open */
  GPtrArray *params;            /* parameters in the rows, since the last
                                 * change */
  GPtrArray *rows;              /* of Row */
  gboolean is_updating;         /* widgets are being set by the program */
};

/* A moved widget in a viewport is drawn, but not allocated. */
static gboolean
log_place (GtkWidget * widget, cairo_t * cairo G_GNUC_UNUSED, gpointer data)
{
  gint x, y;

  if (gtk_widget_translate_coordinates (widget,
          gtk_widget_get_toplevel (widget), 0, 0, &x, &y)) {
    g_autofree gchar *place = g_strdup_printf ("%d %d, %d by %d", x, y,
        gtk_widget_get_allocated_width (widget),
        gtk_widget_get_allocated_height (widget));

    if (g_strcmp0 (place, g_object_get_data (G_OBJECT (widget), "place")) != 0)
      GST_DEBUG ("%s is at %s", (const gchar *) data, place);
    g_object_set_data_full (G_OBJECT (widget), "place",
        g_steal_pointer (&place), g_free);
  }
  return GDK_EVENT_PROPAGATE;
}

void
play_panel_log_place (GtkWidget * widget, const gchar * name)
{
  g_signal_connect (widget, "draw", G_CALLBACK (log_place), (gpointer) name);
}

static PlayParam *
get_param (const Row * row)
{
  return row->panel->session->params->pdata[row->n];
}

static void
set_value (Row * row, gdouble value)
{
  if (!row->panel->is_updating && value != play_param_get (get_param (row)))
    play_session_set (row->panel->session, row->n, value);
}

/* A slider has the step of the keys. */
static gboolean
move_slider (GtkRange * range, GtkScrollType scroll G_GNUC_UNUSED,
    gdouble value, gpointer data)
{
  const PlayParam *param = get_param (data);
  gdouble lowest, highest;

  play_param_get_range (param, &lowest, &highest);
  value = param->step * round (value / param->step);
  set_value (data, CLAMP (value, lowest, highest));
  gtk_range_set_value (range, play_param_get (get_param (data)));
  return TRUE;
}

static gchar *
format_value (GtkScale * scale G_GNUC_UNUSED,
    gdouble value G_GNUC_UNUSED, gpointer data)
{
  return play_param_print (get_param (data));
}

static void
turn_switch (GtkSwitch * control, GParamSpec * pspec G_GNUC_UNUSED,
    gpointer data)
{
  set_value (data, gtk_switch_get_active (control));
}

static void
choose (GtkComboBox * control, gpointer data)
{
  const Row *row = data;
  const gint at = gtk_combo_box_get_active (control);

  if (at >= 0)
    set_value (data, G_PARAM_SPEC_ENUM (get_param (row)->pspec)
        ->enum_class->values[at].value);
}

static void
turn_flag (GtkToggleButton * button, gpointer data)
{
  const guint flag = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button),
          "flag"));
  const guint flags = play_param_get (get_param (data));

  set_value (data, gtk_toggle_button_get_active (button) ? flags | flag
      : flags & ~flag);
}

static guint
get_level (gdouble level)
{
  return (guint) (level * 255.0 + 0.5);
}

static void
choose_color (GtkColorButton * button, gpointer data)
{
  GdkRGBA color;

  gtk_color_chooser_get_rgba (GTK_COLOR_CHOOSER (button), &color);
  set_value (data, get_level (color.alpha) << 24 | get_level (color.red) << 16
      | get_level (color.green) << 8 | get_level (color.blue));
}

static gboolean
press_button (GtkWidget * widget G_GNUC_UNUSED, GdkEventButton * event,
    gpointer data)
{
  const Row *row = data;

  if (event->button != GDK_BUTTON_PRIMARY)
    return GDK_EVENT_PROPAGATE;
  if (event->type == GDK_2BUTTON_PRESS) {
    play_session_reset (row->panel->session, row->n);
    play_panel_update (row->panel);
    return GDK_EVENT_STOP;
  }
  play_session_select (row->panel->session, row->n);
  return GDK_EVENT_PROPAGATE;
}

static GtkWidget *
make_flags (Row * row)
{
  const GFlagsClass *flags = G_PARAM_SPEC_FLAGS (get_param (row)->pspec)
      ->flags_class;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  for (guint i = 0; i < flags->n_values; i++) {
    const GFlagsValue *value = &flags->values[i];

    if (value->value == 0)
      continue;
    GtkWidget *button = gtk_check_button_new_with_label (value->value_nick);
    g_object_set_data (G_OBJECT (button), "flag", GUINT_TO_POINTER
        (value->value));
    gtk_widget_set_tooltip_text (button, value->value_name);
    g_signal_connect (button, "toggled", G_CALLBACK (turn_flag), row);
    gtk_container_add (GTK_CONTAINER (box), button);
  }
  return box;
}

static GtkWidget *
make_control (Row * row)
{
  const PlayParam *param = get_param (row);
  GtkWidget *control;

  switch (param->kind) {
    case PLAY_PARAM_SWITCH:
      control = gtk_switch_new ();
      gtk_widget_set_halign (control, GTK_ALIGN_START);
      g_signal_connect (control, "notify::active", G_CALLBACK (turn_switch),
          row);
      return control;
    case PLAY_PARAM_CHOICE:{
      const GEnumClass *choices = G_PARAM_SPEC_ENUM (param->pspec)->enum_class;

      control = gtk_combo_box_text_new ();
      for (guint i = 0; i < choices->n_values; i++)
        gtk_combo_box_text_append_text (GTK_COMBO_BOX_TEXT (control),
            choices->values[i].value_nick);
      g_signal_connect (control, "changed", G_CALLBACK (choose), row);
      return control;
    }
    case PLAY_PARAM_FLAGS:
      return make_flags (row);
    case PLAY_PARAM_COLOR:
      control = gtk_color_button_new ();
      gtk_color_chooser_set_use_alpha (GTK_COLOR_CHOOSER (control), TRUE);
      g_signal_connect (control, "color-set", G_CALLBACK (choose_color), row);
      return control;
    default:
      control = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, NULL);
      gtk_scale_set_value_pos (GTK_SCALE (control), GTK_POS_RIGHT);
      gtk_range_set_round_digits (GTK_RANGE (control), -1);
      gtk_widget_set_hexpand (control, TRUE);
      g_signal_connect (control, "format-value", G_CALLBACK (format_value),
          row);
      g_signal_connect (control, "change-value", G_CALLBACK (move_slider), row);
      g_signal_connect (control, "button-press-event",
          G_CALLBACK (press_button), row);
      return control;
  }
}

static void
show_number (GtkWidget * control, const PlayParam * param)
{
  GtkRange *range = GTK_RANGE (control);
  const gdouble now = play_param_get (param);
  gdouble lowest, highest;

  play_param_get_range (param, &lowest, &highest);
  gtk_range_set_range (range, lowest, MAX (highest, lowest + param->step));
  gtk_range_set_increments (range, param->step, param->step);
  gtk_range_set_value (range, now);
  gtk_widget_queue_draw (control);
}

static void
show_value (Row * row)
{
  const PlayParam *param = get_param (row);
  const gdouble now = play_param_get (param);

  switch (param->kind) {
    case PLAY_PARAM_SWITCH:
      gtk_switch_set_active (GTK_SWITCH (row->control), now != 0.0);
      break;
    case PLAY_PARAM_CHOICE:{
      const GEnumClass *choices = G_PARAM_SPEC_ENUM (param->pspec)->enum_class;
      gint at = choices->n_values;

      while (--at >= 0 && choices->values[at].value != now);
      gtk_combo_box_set_active (GTK_COMBO_BOX (row->control), at);
      break;
    }
    case PLAY_PARAM_FLAGS:{
      const guint flags = now;
      g_autoptr (GList) buttons = gtk_container_get_children (GTK_CONTAINER
          (row->control));

      for (const GList * l = buttons; l; l = l->next) {
        const guint flag = GPOINTER_TO_UINT (g_object_get_data (l->data,
                "flag"));

        gtk_toggle_button_set_active (l->data, (flags & flag) == flag);
      }
      break;
    }
    case PLAY_PARAM_COLOR:{
      const guint32 color = now;
      const GdkRGBA rgba = { (color >> 16 & 0xff) / 255.0,
        (color >> 8 & 0xff) / 255.0, (color & 0xff) / 255.0,
        (color >> 24) / 255.0
      };

      gtk_color_chooser_set_rgba (GTK_COLOR_CHOOSER (row->control), &rgba);
      break;
    }
    default:
      show_number (row->control, param);
  }
  GtkStyleContext *style = gtk_widget_get_style_context (row->name);
  if (row->n == row->panel->session->selected)
    gtk_style_context_add_class (style, "selected");
  else
    gtk_style_context_remove_class (style, "selected");
}

static void
add_row (PlayPanel * self, guint n, gint top)
{
  const PlayParam *param = self->session->params->pdata[n];
  Row *row = g_new0 (Row, 1);
  GtkWidget *label = gtk_label_new (param->name);
  g_autofree gchar *tip = g_strdup_printf ("%s\nDouble click: default",
      g_param_spec_get_blurb (param->pspec));

  row->panel = self;
  row->n = n;
  row->name = gtk_event_box_new ();
  row->control = make_control (row);
  play_panel_log_place (row->control, g_intern_string (param->name));
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_container_add (GTK_CONTAINER (row->name), label);
  gtk_widget_set_tooltip_text (row->name, tip);
  gtk_widget_add_events (row->name, GDK_BUTTON_PRESS_MASK);
  g_signal_connect (row->name, "button-press-event", G_CALLBACK (press_button),
      row);
  gtk_grid_attach (GTK_GRID (self->grid), row->name, 0, top, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), row->control, 1, top, 1, 1);
  g_ptr_array_add (self->rows, row);
}

static void
take_preset (GtkMenuItem * item, gpointer data)
{
  PlayPanel *self = data;

  play_session_take_preset (self->session, g_object_get_data (G_OBJECT (item),
          "element"), gtk_menu_item_get_label (item));
  play_panel_update (self);
}

/* The name of an element, and a menu of its presets, if any. */
static void
add_heading (PlayPanel * self, GstElement * element, gint top)
{
  GtkWidget *label = gtk_label_new (GST_OBJECT_NAME (element));
  g_auto (GStrv) names = play_session_list_presets (element);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_style_context_add_class (gtk_widget_get_style_context (label), "heading");
  gtk_grid_attach (GTK_GRID (self->grid), label, 0, top, 1, 1);
  if (!names[0])
    return;
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *menu = gtk_menu_new ();

  for (guint i = 0; names[i]; i++) {
    GtkWidget *item = gtk_menu_item_new_with_label (names[i]);

    g_object_set_data_full (G_OBJECT (item), "element", gst_object_ref
        (element), gst_object_unref);
    g_signal_connect (item, "activate", G_CALLBACK (take_preset), self);
    gtk_menu_shell_append (GTK_MENU_SHELL (menu), item);
  }
  gtk_widget_show_all (menu);
  gtk_button_set_label (GTK_BUTTON (button), "Presets");
  play_panel_log_place (button, "presets");
  gtk_widget_set_halign (button, GTK_ALIGN_END);
  gtk_menu_button_set_popup (GTK_MENU_BUTTON (button), menu);
  gtk_grid_attach (GTK_GRID (self->grid), button, 1, top, 1, 1);
}

static void
build_rows (PlayPanel * self)
{
  GPtrArray *params = self->session->params;
  gint top = 0;

  g_clear_pointer (&self->grid, gtk_widget_destroy);
  g_ptr_array_set_size (self->rows, 0);
  g_ptr_array_unref (self->params);
  self->params = g_ptr_array_ref (params);
  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 8);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 2);
  gtk_container_set_border_width (GTK_CONTAINER (self->grid), 8);
  for (guint i = 0; i < params->len; i++) {
    const PlayParam *param = params->pdata[i];

    if (i == 0 || param->element
        != ((PlayParam *) params->pdata[i - 1])->element)
      add_heading (self, param->element, top++);
    add_row (self, i, top++);
  }
  gtk_container_add (GTK_CONTAINER (self->viewport), self->grid);
  gtk_widget_show_all (self->grid);
}

/* Returns whether the rows match the session's parameters. Some changes give
 * elements other children. */
static gboolean
has_rows (PlayPanel * self)
{
  const GPtrArray *params = self->session->params;

  if (!self->grid || params->len != self->params->len)
    return FALSE;
  for (guint i = 0; i < params->len; i++) {
    const PlayParam *now = params->pdata[i];
    const PlayParam *before = self->params->pdata[i];

    if (now->object != before->object || now->pspec != before->pspec)
      return FALSE;
  }
  return TRUE;
}

void
play_panel_update (PlayPanel * self)
{
  self->is_updating = TRUE;
  if (!has_rows (self))
    build_rows (self);
  for (guint i = 0; i < self->rows->len; i++)
    show_value (self->rows->pdata[i]);
  self->is_updating = FALSE;
}

PlayPanel *
play_panel_new (PlaySession * session)
{
  PlayPanel *self = g_new0 (PlayPanel, 1);

  self->session = session;
  self->params = g_ptr_array_new ();
  self->rows = g_ptr_array_new_with_free_func (g_free);
  self->scroller = gtk_scrolled_window_new (NULL, NULL);
  self->viewport = gtk_viewport_new (NULL, NULL);
  gtk_container_add (GTK_CONTAINER (self->scroller), self->viewport);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller),
      GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (self->scroller, WIDTH, -1);
  gtk_widget_set_hexpand (self->scroller, FALSE);
  return self;
}

void
play_panel_free (PlayPanel * self)
{
  g_ptr_array_unref (self->params);
  g_ptr_array_unref (self->rows);
  g_free (self);
}

GtkWidget *
play_panel_get_widget (PlayPanel * self)
{
  return self->scroller;
}
