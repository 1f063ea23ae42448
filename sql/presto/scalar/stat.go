package scalar

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

var statFuncs = []Func{
	three("normal_cdf", normalCDF),
	three("inverse_normal_cdf", inverseNormalCDF),
	three("beta_cdf", betaCDF),
	three("inverse_beta_cdf", inverseBetaCDF),
	three("wilson_interval_lower", func(successes, trials int64, z float64) (float64, error) { return wilson(successes, trials, z, -1) }),
	three("wilson_interval_upper", func(successes, trials int64, z float64) (float64, error) { return wilson(successes, trials, z, 1) }),
}

func normalCDF(mean, deviation, x float64) (float64, error) {
	if !(deviation > 0) {
		return 0, invalid("standardDeviation must be > 0")
	}
	return 0.5 * (1 + math.Erf((x-mean)/(deviation*math.Sqrt2))), nil
}

func inverseNormalCDF(mean, deviation, p float64) (float64, error) {
	if !(p > 0 && p < 1) {
		return 0, invalid("p must be 0 > p > 1")
	}
	if !(deviation > 0) {
		return 0, invalid("sd must be > 0")
	}
	return mean + deviation*math.Sqrt2*math.Erfinv(2*p-1), nil
}

func betaCDF(a, b, x float64) (float64, error) {
	if !(x >= 0 && x <= 1) {
		return 0, invalid("value must be 0 >= v >= 1")
	}
	if !(a > 0 && b > 0) {
		return 0, invalid("a, b must be > 0")
	}
	return mathext.RegIncBeta(a, b, x), nil
}

func inverseBetaCDF(a, b, p float64) (float64, error) {
	if !(p >= 0 && p <= 1) {
		return 0, invalid("p must be 0 >= p >= 1")
	}
	if !(a > 0 && b > 0) {
		return 0, invalid("a, b must be > 0")
	}
	return mathext.InvRegIncBeta(a, b, p), nil
}

// wilson returns a bound of Wilson's score interval: the lower one with side -1, the upper one with 1.
func wilson(successes, trials int64, z, side float64) (float64, error) {
	switch {
	case successes < 0:
		return 0, invalid("number of successes must not be negative")
	case trials <= 0:
		return 0, invalid("number of trials must be positive")
	case successes > trials:
		return 0, invalid("number of successes must not be larger than number of trials")
	case z < 0:
		return 0, invalid("z-score must not be negative")
	}
	s, n := float64(successes), float64(trials)
	p := s / n
	return (p + z*z/(2*n) + side*z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n), nil
}
