#version 100
/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter as a fragment shader, for glshader: intensity mode, disc
 * window, one weight a tap. The benchmark puts other values into the defines. */

#define RADIUS 4
#define SPATIAL_SIGMA 2.0
#define INTENSITY_SIGMA 0.25

#ifdef GL_ES
precision highp float;
#endif

varying vec2 v_texcoord;
uniform sampler2D tex;
uniform float width, height;

const vec3 luma = vec3(0.3, 0.59, 0.11);

void main()
{
    vec4 center = texture2D(tex, v_texcoord);
    vec4 sum = vec4(0.0);

    for (int j = -RADIUS; j <= RADIUS; j++) {
        for (int i = -RADIUS; i <= RADIUS; i++) {
            float square = float(i * i + j * j);
            if (square > float(RADIUS * RADIUS))
                continue;
            vec3 tap = texture2D(tex, v_texcoord
                + vec2(float(i) / width, float(j) / height)).rgb;
            float delta = dot(tap - center.rgb, luma);
            float weight = exp(-square / (2.0 * SPATIAL_SIGMA * SPATIAL_SIGMA)
                - delta * delta / (2.0 * INTENSITY_SIGMA * INTENSITY_SIGMA));
            sum += weight * vec4(tap, 1.0);
        }
    }
    gl_FragColor = vec4(sum.rgb / sum.a, center.a);
}
