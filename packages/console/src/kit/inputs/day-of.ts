/** Midnight at the start of a day, plus `days`. */
export function dayOf(text: string | undefined, days: number): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? []
  if (day === undefined) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  // The calendar has no such day.
  if (date.getFullYear() !== Number(year) || date.getMonth() !== Number(month) - 1) return undefined
  date.setDate(date.getDate() + days)
  return date
}
