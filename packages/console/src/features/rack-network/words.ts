export const gigabits = (speed: number): string => `${speed} Gbit/s`
