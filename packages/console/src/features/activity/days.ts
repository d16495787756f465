// @chunk activity-log: of the accounts of all kinds of places, which no list or form needs.
import { formatDate } from '#/ui/data/format.ts'

interface Day<Item> {
  key: string
  /** `Today`, `Yesterday`, or the date. */
  title: string
  /** The date with its weekday. */
  date: string
  items: Item[]
}

const weekday = (date: Date): string => new Intl.DateTimeFormat(undefined, { weekday: 'long' }).format(date)

/** Groups entries, which are in order, by the day in the reader's time zone. */
export function byDay<Item extends { time: Date }>(items: readonly Item[], now: Date): Day<Item>[] {
  const keyOf = (date: Date) => `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
  const today = keyOf(now)
  const yesterday = keyOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))
  const days: Day<Item>[] = []
  for (const item of items) {
    const key = keyOf(item.time)
    const last = days.at(-1)
    if (last?.key === key) last.items.push(item)
    else {
      const date = formatDate(item.time)
      const title = key === today ? 'Today' : key === yesterday ? 'Yesterday' : date
      days.push({
        key,
        title,
        date: title === date ? weekday(item.time) : `${weekday(item.time)}, ${date}`,
        items: [item],
      })
    }
  }
  return days
}
