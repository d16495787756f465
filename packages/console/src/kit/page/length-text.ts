// @chunk length-text: of tasks and of activity, neither of which shall load the other.
import { secondsText } from './stored-values.ts'

/** `0.4 s`, `1 min 12 s`, `2 h 5 min`. */
export function lengthText(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 10) return secondsText(Math.round(seconds * 10) / 10 || seconds)
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
