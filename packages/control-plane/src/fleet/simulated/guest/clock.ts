// The guest keeps UTC and the C locale, so everything here is spelled out rather than left to a locale.
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `18:02:11` */
export function timeOfDay(at: Date): string {
  return at.toISOString().slice(11, 19)
}

/** `Wed Nov 19 18:02:11` */
function dayAndTime(at: Date): string {
  const day = String(at.getUTCDate()).padStart(2)
  return `${days[at.getUTCDay()]} ${months[at.getUTCMonth()]} ${day} ${timeOfDay(at)}`
}

/** `Wed Nov 19 18:02:11 UTC 2025`, as `date` prints it. */
export function dateLine(at: Date): string {
  return `${dayAndTime(at)} UTC ${at.getUTCFullYear()}`
}

/** `Wed Nov 19 18:02:11 2025`, as a login prints it. */
export function loginTime(at: Date): string {
  return `${dayAndTime(at)} ${at.getUTCFullYear()}`
}

/** Whole seconds between two times; zero if the clock was set back. */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000))
}

/** `42 days,  3:04` or `7 min`, as `uptime` prints it. */
export function upFor(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const wholeDays = Math.floor(minutes / 1440)
  const hours = Math.floor(minutes / 60) % 24
  const rest = minutes % 60
  const clock = hours > 0 ? `${String(hours).padStart(2)}:${String(rest).padStart(2, '0')}` : `${rest} min`
  if (wholeDays === 0) return clock
  return `${wholeDays} ${wholeDays === 1 ? 'day' : 'days'}, ${clock}`
}
