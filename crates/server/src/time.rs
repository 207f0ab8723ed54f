//! Days of the calendar.

/// A day in UTC.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// The year.
    pub year: i32,
    /// 1 to 12.
    pub month: i32,
    /// 1 to 31.
    pub day: i32,
}

impl Day {
    /// The day of a time in milliseconds since 1970.
    ///
    /// Howard Hinnant, [Date algorithms](https://howardhinnant.github.io/date_algorithms.html), `civil_from_days`: years
    /// begin in March, so that the odd day of a leap year is their last.
    pub fn of(millis: i64) -> Self {
        let days = millis.div_euclid(86_400_000) + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let (year, month) = (year_of_era + era * 400, if month < 10 { month + 3 } else { month - 9 });
        Self { year: (year + i64::from(month <= 2)) as i32, month: month as i32, day: day as i32 }
    }

    /// When it begins, in milliseconds since 1970: `days_from_civil` of the same source. A day that its month has not is one
    /// of the next.
    pub fn millis(self) -> i64 {
        let (month, day) = (i64::from(self.month), i64::from(self.day));
        let year = i64::from(self.year) - i64::from(month <= 2);
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let day_of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        (era * 146_097 + day_of_era - 719_468) * 86_400_000
    }
}

/// The time of day in UTC: hours, minutes, seconds.
pub fn time_of_day(millis: i64) -> (i64, i64, i64) {
    let seconds = millis.div_euclid(1000).rem_euclid(86_400);
    (seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, year, month, day) in [
            (0, 1970, 1, 1),
            (951_782_400, 2000, 2, 29),
            (951_868_800, 2000, 3, 1),
            (1_709_164_800, 2024, 2, 29),
            (1_735_689_599, 2024, 12, 31),
            (1_735_689_600, 2025, 1, 1),
            (4_107_542_400, 2100, 3, 1),
            (-86_400, 1969, 12, 31),
        ] {
            assert_eq!(Day::of(seconds * 1000), Day { year, month, day }, "{seconds}");
            assert_eq!(Day { year, month, day }.millis(), seconds.div_euclid(86_400) * 86_400_000, "{seconds}");
        }
        assert_eq!(time_of_day(1_735_689_599_000), (23, 59, 59));
    }
}
