/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an OpenCV application does with frames that are decoded: reads them, calls
 * bilateralFilter, writes them in their own format. i420 is brought to three
 * channels and back; of planes, each of I420's is filtered by itself, with the
 * window that covers the same pixels.
 *
 *   opencvpipeline cpu|umat i420|planes|bgr WIDTH HEIGHT RADIUS SPATIAL_SIGMA
 *     INTENSITY_SIGMA THREADS FRAMES <INPUT >OUTPUT
 *
 * The intensity sigma is OpenCV's: of the sum of the differences of the
 * channels from 0 to 255. */

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>

enum class Layout { i420, planes, bgr };

struct Settings
{
  Layout layout;
  int radius;
  double spatial_sigma;
  double intensity_sigma;
  int frames;
};

static void
fail (const char *message)
{
  fprintf (stderr, "opencvpipeline: %s\n", message);
  exit (EXIT_FAILURE);
}

/* Whether there was a whole frame to read. */
static bool
read_frame (cv::Mat & frame)
{
  size_t size = frame.total () * frame.elemSize (), done = 0;

  while (done < size) {
    ssize_t n = read (STDIN_FILENO, frame.data + done, size - done);

    if (n < 0)
      fail ("the input cannot be read");
    if (n == 0)
      return false;
    done += n;
  }
  return true;
}

static void
write_frame (const cv::Mat & frame)
{
  size_t size = frame.total () * frame.elemSize (), done = 0;

  while (done < size) {
    ssize_t n = write (STDOUT_FILENO, frame.data + done, size - done);

    if (n < 0)
      fail ("the output cannot be written");
    done += n;
  }
}

template <typename Matrix>
static void
filter (const Settings & settings, const Matrix & source, Matrix & result,
    int step)
{
  cv::bilateralFilter (source, result, 2 * (settings.radius / step) + 1,
      settings.intensity_sigma, settings.spatial_sigma / step,
      cv::BORDER_REPLICATE | cv::BORDER_ISOLATED);
}

/* Rows of the planes of chroma are half as wide. */
template <typename Matrix>
static void
filter_planes (const Settings & settings, const Matrix & frame,
    Matrix & filtered)
{
  const int height = frame.rows * 2 / 3;
  const int quarter = height / 4;

  filtered.create (frame.size (), frame.type ());
  for (int plane = 0; plane < 3; plane++) {
    const int start = plane == 0 ? 0 : height + (plane - 1) * quarter;
    const cv::Range rows (start, start + (plane == 0 ? height : quarter));
    Matrix from = frame.rowRange (rows), to = filtered.rowRange (rows);

    if (plane > 0) {
      from = from.reshape (1, height / 2);
      to = to.reshape (1, height / 2);
    }
    filter (settings, from, to, plane == 0 ? 1 : 2);
  }
}

/* With cv::UMat all of it runs through OpenCL. */
template <typename Matrix>
struct Filter
{
  Matrix frame, source, filtered, result;

  void
  run (const Settings & settings)
  {
    switch (settings.layout) {
      case Layout::i420:
        cv::cvtColor (frame, source, cv::COLOR_YUV2BGR_I420);
        filter (settings, source, filtered, 1);
        cv::cvtColor (filtered, result, cv::COLOR_BGR2YUV_I420);
        break;
      case Layout::planes:
        filter_planes (settings, frame, result);
        break;
      case Layout::bgr:
        filter (settings, frame, result, 1);
        break;
    }
  }
};

static void
run_on_cpu (const Settings & settings, cv::Mat & frame)
{
  Filter < cv::Mat > filter;

  filter.frame = frame;
  for (int i = 0; i < settings.frames && read_frame (frame); i++) {
    filter.run (settings);
    write_frame (filter.result);
  }
}

static void
run_on_opencl (const Settings & settings, cv::Mat & frame)
{
  Filter < cv::UMat > filter;

  if (!cv::ocl::haveOpenCL () || !cv::ocl::useOpenCL ())
    fail ("OpenCV has no OpenCL device; OPENCV_OPENCL_DEVICE names one");
  for (int i = 0; i < settings.frames && read_frame (frame); i++) {
    frame.copyTo (filter.frame);
    filter.run (settings);
    write_frame (filter.result.getMat (cv::ACCESS_READ));
  }
}

int
main (int argc, char **argv)
{
  Settings settings;

  if (argc != 10)
    fail ("see the source for the arguments");
  settings.layout = !strcmp (argv[2], "i420") ? Layout::i420
      : !strcmp (argv[2], "planes") ? Layout::planes : Layout::bgr;
  settings.radius = atoi (argv[5]);
  settings.spatial_sigma = atof (argv[6]);
  settings.intensity_sigma = atof (argv[7]);
  settings.frames = atoi (argv[9]);
  cv::setNumThreads (atoi (argv[8]));

  int width = atoi (argv[3]), height = atoi (argv[4]);
  cv::Mat frame = settings.layout == Layout::bgr
      ? cv::Mat (height, width, CV_8UC3)
      : cv::Mat (height * 3 / 2, width, CV_8UC1);
  if (!strcmp (argv[1], "umat"))
    run_on_opencl (settings, frame);
  else
    run_on_cpu (settings, frame);
  return EXIT_SUCCESS;
}
