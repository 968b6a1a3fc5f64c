package javax.annotation;

/** Stands for the one class that JDK 8 had and no later one has: generated classes name their generator by it. */
public @interface Generated {
    String[] value();
    String date() default "";
    String comments() default "";
}
