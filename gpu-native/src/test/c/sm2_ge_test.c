/* The group: laws that hold for all points, the exceptional cases, and the standard's example. */
#include "check.h"
#include "sm2_reference.h"

static const u256 zero = {{0}}, one = {{1, 0, 0, 0}};

static void affine(sm2_ge_affine *r, const sm2_ge_jacobian *a) {
    sm2_ge_to_affine_var(r, a, 1);
}

static int is_equal(const sm2_ge_affine *a, const sm2_ge_affine *b) {
    return u256_is_equal(&a->x, &b->x) && u256_is_equal(&a->y, &b->y);
}

static void should_know_generator(void) {
    sm2_ge_jacobian r;
    sm2_ge_affine a, wrong = sm2_ge_generator;
    u256 n_minus_1;
    CHECK(sm2_ge_is_on_curve_var(&sm2_ge_generator));
    sm2_fe_add(&wrong.x, &wrong.x, &sm2_fe_one);
    CHECK(!sm2_ge_is_on_curve_var(&wrong));
    u256_sub(&n_minus_1, &sm2_ge_order, &one);
    reference_multiply_add(&r, &n_minus_1, &zero, &sm2_ge_generator);
    affine(&a, &r);
    reference_neg(&a, &a);
    CHECK(is_equal(&a, &sm2_ge_generator));
    reference_multiply_add(&r, &n_minus_1, &one, &sm2_ge_generator);
    CHECK(u256_is_zero(&r.z));
    reference_multiply_add(&r, &zero, &zero, &sm2_ge_generator);
    CHECK(u256_is_zero(&r.z));
}

/* GB/T 32918.5, annex A: with t = r + s, the x of s G + t P is r - e. */
static void should_reproduce_standard_example(void) {
    u256 r, s, t, e, x;
    sm2_ge_affine p, sum;
    sm2_ge_jacobian jacobian;
    check_from_hex(&p.x, "09f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020");
    check_from_hex(&p.y, "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13");
    check_from_hex(&e, "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640");
    check_from_hex(&r, "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3");
    check_from_hex(&s, "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa");
    sm2_fe_from_integer(&p.x, &p.x);
    sm2_fe_from_integer(&p.y, &p.y);
    CHECK(sm2_ge_is_on_curve_var(&p));
    u256_add_mod(&t, &r, &s, &sm2_ge_order);
    reference_multiply_add(&jacobian, &s, &t, &p);
    affine(&sum, &jacobian);
    CHECK(sm2_ge_is_on_curve_var(&sum));
    sm2_fe_to_integer(&x, &sum.x);
    u256_reduce_once(&x, &x, &sm2_ge_order);
    u256_add_mod(&x, &x, &e, &sm2_ge_order);
    CHECK(u256_is_equal(&x, &r));
}

static void should_obey_group_laws(void) {
    for (int round = 0; round < 30; round++) {
        u256 a, b, sum;
        check_random_below(&a, &sm2_ge_order);
        check_random_below(&b, &sm2_ge_order);
        u256_add_mod(&sum, &a, &b, &sm2_ge_order);
        sm2_ge_jacobian ja, jb, jsum, doubled;
        sm2_ge_affine pa, pb, psum, expected;
        reference_multiply_add(&ja, &a, &zero, &sm2_ge_generator);
        reference_multiply_add(&jb, &zero, &b, &sm2_ge_generator);
        reference_multiply_add(&jsum, &sum, &zero, &sm2_ge_generator);
        if (u256_is_zero(&ja.z) || u256_is_zero(&jb.z) || u256_is_zero(&jsum.z)) {
            continue;
        }
        affine(&pa, &ja);
        affine(&pb, &jb);
        affine(&psum, &jsum);
        CHECK(sm2_ge_is_on_curve_var(&pa));
        reference_add(&jsum, &ja, &pb);
        affine(&expected, &jsum);
        CHECK(is_equal(&psum, &expected));
        reference_multiply_add(&jsum, &a, &b, &sm2_ge_generator);
        affine(&expected, &jsum);
        CHECK(is_equal(&psum, &expected));

        sm2_ge_double(&doubled, &ja);
        reference_add(&jsum, &ja, &pa);
        sm2_ge_affine first, second;
        affine(&first, &doubled);
        affine(&second, &jsum);
        CHECK(is_equal(&first, &second));
        reference_neg(&pa, &pa);
        reference_add(&jsum, &ja, &pa);
        CHECK(u256_is_zero(&jsum.z));
        reference_add(&jsum, &jsum, &pb);
        affine(&first, &jsum);
        CHECK(is_equal(&first, &pb));
        reference_add(&jsum, &doubled, &pa);
        affine(&first, &jsum);
        reference_neg(&pa, &pa);
        CHECK(is_equal(&first, &pa));
    }
}

int main(void) {
    should_know_generator();
    should_reproduce_standard_example();
    should_obey_group_laws();
    return check_result();
}
