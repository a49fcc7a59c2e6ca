// SPDX-License-Identifier: LGPL-2.1-or-later
//! Denoises a video file, prints the noise and the brightness of each second, and
//! doubles the strength after the first second: denoise FILE

use gst::prelude::*;
use std::error::Error;
use std::process::ExitCode;

/// Prints the mean luma of a denoised frame. Runs in the streaming thread.
fn handle_frame(buffer: &gst::BufferRef) {
    // With histogram-interval only some of the frames have a meta.
    let Ok(meta) = gst::meta::CustomMeta::from_buffer(buffer, "GstGLOpenCLHistogramMeta") else {
        return;
    };
    let Ok(luma) = meta.structure().get::<gst::glib::Bytes>("luma") else {
        return;
    };
    let counts: Vec<f64> = luma
        .chunks_exact(4)
        .map(|bytes| u32::from_ne_bytes(bytes.try_into().unwrap()).into())
        .collect();
    let sum: f64 = counts.iter().enumerate().map(|(i, n)| i as f64 * n).sum();
    let mean = sum / counts.iter().sum::<f64>();
    println!("mean luma {mean:.1} of {}", counts.len() - 1);
}

/// Prints the noise of the first frame of each second.
fn handle_noise(denoise: &gst::Element, noise: &gst::StructureRef, seconds: &mut u64) {
    let time = noise.get::<u64>("stream-time").unwrap_or(0);
    let second = gst::ClockTime::SECOND.nseconds();
    if time / second < *seconds {
        return;
    }
    *seconds = time / second + 1;
    // Not all channels need to have noise.
    if let (Ok(luma), Ok(kind)) = (noise.get::<f64>("luma"), noise.get::<&str>("kind")) {
        println!("noise {luma:.1}, {kind}");
    }
    if time >= second {
        denoise.set_property("strength", 2.0);
    }
}

fn run(file: &str) -> Result<(), Box<dyn Error>> {
    gst::init()?;
    // Fails if the plugin is not installed.
    let pipeline = gst::parse::launch(
        "filesrc name=source ! decodebin ! videoconvert dither=none ! glupload \
         ! glopencldenoise name=denoise noise-messages=true histogram-emission=meta \
         histogram-interval=1000000000 ! gldownload ! fakesink",
    )?
    .downcast::<gst::Pipeline>()
    .map_err(|_| "not a pipeline")?;
    let source = pipeline.by_name("source").ok_or("no source")?;
    let denoise = pipeline.by_name("denoise").ok_or("no denoiser")?;
    let pad = denoise.static_pad("src").ok_or("no pad")?;

    source.set_property("location", file);
    pad.add_probe(gst::PadProbeType::BUFFER, |_, info| {
        if let Some(buffer) = info.buffer() {
            handle_frame(buffer);
        }
        gst::PadProbeReturn::Ok
    });
    let mut seconds = 0;
    let mut result = Ok(());
    // A failed change of state posts an error, too.
    let _ = pipeline.set_state(gst::State::Playing);
    for message in pipeline
        .bus()
        .ok_or("no bus")?
        .iter_timed(gst::ClockTime::NONE)
    {
        match message.view() {
            gst::MessageView::Element(element) if message.has_name("glopencldenoise-noise") => {
                if let Some(noise) = element.structure() {
                    handle_noise(&denoise, noise, &mut seconds);
                }
            }
            gst::MessageView::Error(error) => {
                // Without an OpenCL driver: gst::ResourceError::NotFound.
                result = Err(error.error().into());
                break;
            }
            gst::MessageView::Eos(_) => break,
            _ => (),
        }
    }
    pipeline.set_state(gst::State::Null)?;
    result
}

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: denoise FILE");
        return ExitCode::FAILURE;
    };
    match run(&file) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not the domain of the error.
            match error.downcast_ref::<gst::glib::Error>() {
                Some(error) => eprintln!("{}", error.message()),
                None => eprintln!("{error}"),
            }
            ExitCode::FAILURE
        }
    }
}
