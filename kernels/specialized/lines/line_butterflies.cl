/* SPDX-License-Identifier: BSD-3-Clause */
/* Transforms of a few numbers in place, for the lines of line_steps.cl. */
#ifdef STEPS

inline float2 line_product(float2 a, float2 b)
{
    return (float2)(fma(a.x, b.x, -(a.y * b.y)), fma(a.x, b.y, a.y * b.x));
}

inline float2 line_turn(float2 a)       /* multiplies by -i */
{
    return (float2)(a.y, -a.x);
}

inline float2 line_plus(float2 b, float factor, float2 a)
{
    return fma((float2)(factor), a, b);
}

inline void line_2(float2 *v)
{
    const float2 a = v[0], b = v[1];
    v[0] = a + b;
    v[1] = a - b;
}

inline void line_3(float2 *v)
{
    const float s1 = 0.866025403784438647f;
    const float2 sum = v[1] + v[2], middle = line_plus(v[0], -0.5f, sum), side = line_turn(v[1] - v[2]);
    v[0] += sum;
    v[1] = line_plus(middle, s1, side);
    v[2] = line_plus(middle, -s1, side);
}

inline void line_4(float2 *v)
{
    const float2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = line_turn(v[1] - v[3]);
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
}

inline void line_5(float2 *v)
{
    const float c1 = 0.309016994374947424f, c2 = -0.809016994374947424f, s1 = 0.951056516295153572f,
                s2 = 0.587785252292473129f;
    const float2 a = v[1] + v[4], b = v[2] + v[3], c = v[1] - v[4], d = v[2] - v[3], v0 = v[0];
    const float2 p = line_plus(line_plus(v0, c1, a), c2, b), q = line_plus(line_plus(v0, c2, a), c1, b);
    const float2 r = line_turn(line_plus(s1 * c, s2, d)), s = line_turn(line_plus(s2 * c, -s1, d));
    v[0] = v0 + a + b;
    v[1] = p + r;
    v[2] = q + s;
    v[3] = q - s;
    v[4] = p - r;
}

inline void line_7(float2 *v)
{
    const float c1 = 0.623489801858733530f, c2 = -0.222520933956314404f, c3 = -0.900968867902419126f;
    const float s1 = 0.781831482468029809f, s2 = 0.974927912181823607f, s3 = 0.433883739117558120f;
    const float2 a = v[1] + v[6], b = v[2] + v[5], c = v[3] + v[4], d = v[1] - v[6], e = v[2] - v[5], f = v[3] - v[4],
                 v0 = v[0];
    const float2 p = line_plus(line_plus(line_plus(v0, c1, a), c2, b), c3, c),
                 q = line_plus(line_plus(line_plus(v0, c2, a), c3, b), c1, c);
    const float2 r = line_plus(line_plus(line_plus(v0, c3, a), c1, b), c2, c),
                 x = line_turn(line_plus(line_plus(s1 * d, s2, e), s3, f));
    const float2 y = line_turn(line_plus(line_plus(s2 * d, -s3, e), -s1, f)),
                 z = line_turn(line_plus(line_plus(s3 * d, -s1, e), s2, f));
    v[0] = v0 + a + b + c;
    v[1] = p + x;
    v[2] = q + y;
    v[3] = r + z;
    v[4] = r - z;
    v[5] = q - y;
    v[6] = p - x;
}

inline void line_8(float2 *v)
{
    float2 even[4] = {v[0], v[2], v[4], v[6]}, odd[4] = {v[1], v[3], v[5], v[7]};
    const float h = 0.707106781186547524f;
    line_4(even);
    line_4(odd);
    odd[1] = h * (float2)(odd[1].x + odd[1].y, odd[1].y - odd[1].x);
    odd[2] = line_turn(odd[2]);
    odd[3] = h * (float2)(odd[3].y - odd[3].x, -odd[3].x - odd[3].y);
EACH(m, 0, 4) {
        v[m] = even[m] + odd[m];
        v[m + 4] = even[m] - odd[m];
    }
}

inline void line_9(float2 *v)
{
    const float2 w1 = (float2)(0.766044443118978035f, -0.642787609686539327f),
                 w2 = (float2)(0.173648177666930349f, -0.984807753012208059f);
    const float2 w4 = (float2)(-0.939692620785908384f, -0.342020143325668733f);
    float2 t[3][3];
EACH(a, 0, 3) {
        EACH(b, 0, 3)
            t[a][b] = v[a + 3 * b];
        line_3(t[a]);
    }
    t[1][1] = line_product(t[1][1], w1);
    t[1][2] = line_product(t[1][2], w2);
    t[2][1] = line_product(t[2][1], w2);
    t[2][2] = line_product(t[2][2], w4);
EACH(b, 0, 3) {
        float2 u[3] = {t[0][b], t[1][b], t[2][b]};
        line_3(u);
        v[b] = u[0];
        v[b + 3] = u[1];
        v[b + 6] = u[2];
    }
}

constant float2 line_waves[8] = {{1.0f, 0.0f},
                                 {0.923879532511286756f, -0.382683432365089772f},
                                 {0.707106781186547524f, -0.707106781186547524f},
                                 {0.382683432365089772f, -0.923879532511286756f},
                                 {0.0f, -1.0f},
                                 {-0.382683432365089772f, -0.923879532511286756f},
                                 {-0.707106781186547524f, -0.707106781186547524f},
                                 {-0.923879532511286756f, -0.382683432365089772f}};

inline void line_16(float2 *v)
{
    float2 even[8], odd[8];
    EACH(m, 0, 8) {
        even[m] = v[2 * m];
        odd[m] = v[2 * m + 1];
    }
    line_8(even);
    line_8(odd);
    EACH(m, 0, 8) {
        const float2 turned = m == 0 ? odd[m] : m == 4 ? line_turn(odd[m]) : line_product(odd[m], line_waves[m]);
        v[m] = even[m] + turned;
        v[m + 8] = even[m] - turned;
    }
}

/*
 * R is A times B, which have no common factor, so the transforms of A and B numbers follow each other without twiddle
 * factors (Good and Thomas).
 */
#define LINE_COPRIME(R, A, B)                                                                                          \
    inline void line_##R(float2 *v)                                                                                    \
    {                                                                                                                  \
        float2 t[B][A], u[A][B];                                                                                       \
        EACH(b, 0, B) {                                                                                                \
            EACH(a, 0, A) t[b][a] = v[(B * a + A * b) % R];                                                            \
            line_##A(t[b]);                                                                                            \
        }                                                                                                              \
        EACH(a, 0, A) {                                                                                                \
            EACH(b, 0, B) u[a][b] = t[b][a];                                                                           \
            line_##B(u[a]);                                                                                            \
        }                                                                                                              \
        EACH(k, 0, R) v[k] = u[k % A][k % B];                                                                          \
    }
LINE_COPRIME(6, 2, 3)
LINE_COPRIME(10, 2, 5)
LINE_COPRIME(12, 4, 3)
LINE_COPRIME(14, 2, 7)
LINE_COPRIME(15, 3, 5)
LINE_COPRIME(18, 2, 9)
LINE_COPRIME(20, 4, 5)
LINE_COPRIME(21, 3, 7)
#endif
