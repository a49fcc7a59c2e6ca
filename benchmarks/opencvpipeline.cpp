/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an OpenCV application does with frames that are decoded: reads them, brings
 * them to three channels, calls bilateralFilter, writes them in their own format.
 *
 *   opencvpipeline cpu|umat i420|bgr WIDTH HEIGHT RADIUS SPATIAL_SIGMA
 *     INTENSITY_SIGMA THREADS FRAMES <INPUT >OUTPUT
 *
 * The intensity sigma is OpenCV's: of the sum of the differences of three
 * channels from 0 to 255. */

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>

struct Settings
{
  bool planar;
  int diameter;
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

/* With cv::UMat all of it runs through OpenCL. */
template <typename Matrix>
struct Filter
{
  Matrix frame, source, filtered, result;

  void
  run (const Settings & settings)
  {
    if (settings.planar)
      cv::cvtColor (frame, source, cv::COLOR_YUV2BGR_I420);
    else
      source = frame;
    cv::bilateralFilter (source, filtered, settings.diameter,
        settings.intensity_sigma, settings.spatial_sigma, cv::BORDER_REPLICATE);
    if (settings.planar)
      cv::cvtColor (filtered, result, cv::COLOR_BGR2YUV_I420);
    else
      result = filtered;
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
  settings.planar = !strcmp (argv[2], "i420");
  settings.diameter = 2 * atoi (argv[5]) + 1;
  settings.spatial_sigma = atof (argv[6]);
  settings.intensity_sigma = atof (argv[7]);
  settings.frames = atoi (argv[9]);
  cv::setNumThreads (atoi (argv[8]));

  int width = atoi (argv[3]), height = atoi (argv[4]);
  cv::Mat frame = settings.planar ? cv::Mat (height * 3 / 2, width, CV_8UC1)
      : cv::Mat (height, width, CV_8UC3);
  if (!strcmp (argv[1], "umat"))
    run_on_opencl (settings, frame);
  else
    run_on_cpu (settings, frame);
  return EXIT_SUCCESS;
}
