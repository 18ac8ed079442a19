package io.seqsvr.chaos.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Where in a chart a value stands.
 *
 * @param least the value that stands at {@code low}; above 0 if logarithmic
 * @param most the value that stands at {@code high}; above {@code least}
 * @param low a place
 * @param high another place
 * @param logarithmic whether equal factors, and not equal differences, are equally far apart
 */
record Scale(double least, double most, double low, double high, boolean logarithmic) {
    private static final int MOST_STEPS = 8;
    private static final double[] ROUND_SECONDS = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400
    };

    static Scale linear(double most, double low, double high) {
        return new Scale(0, most, low, high, false);
    }

    /** Whole powers of ten around these values. */
    static Scale powersOfTen(double least, double most, double low, double high) {
        double from = Math.pow(10, Math.floor(Math.log10(Math.max(1, least))));
        double to = Math.pow(10, Math.ceil(Math.log10(Math.max(from * 10, most))));
        return new Scale(from, to, low, high, true);
    }

    /** The place of a value; of one that is beyond an end, that end. */
    double at(double value) {
        double within = Math.min(most, Math.max(least, value));
        double share =
                logarithmic ? Math.log(within / least) / Math.log(most / least) : (within - least) / (most - least);
        return low + share * (high - low);
    }

    /** The powers of ten of a logarithmic scale. */
    List<Double> powers() {
        var powers = new ArrayList<Double>();
        for (double power = least; power < most * 1.5; power *= 10) {
            powers.add(power);
        }
        return powers;
    }

    /** Times of a scale of seconds that people would choose, from 0 on. */
    List<Double> times() {
        double step = ROUND_SECONDS[ROUND_SECONDS.length - 1];
        for (double round : ROUND_SECONDS) {
            if (most / round <= MOST_STEPS) {
                step = round;
                break;
            }
        }
        // Of a run of weeks the days would be too many.
        step *= Math.ceil(most / step / MOST_STEPS);
        var times = new ArrayList<Double>();
        for (double time = 0; time <= most; time += step) {
            times.add(time);
        }
        return times;
    }

    /** The least number of one significant digit, 1, 2 or 5, that is not below this one. */
    static double roundUp(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(1, value))));
        for (double factor : new double[] {1, 2, 5}) {
            if (value <= factor * power) {
                return factor * power;
            }
        }
        return 10 * power;
    }
}
