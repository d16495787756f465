import { isOpenTask, taskWords } from '@gantry/api/history/task.rules'
import { formatBytes, formatNumber, formatTime, formatDate } from '#/ui/data/format.ts'
import { lengthText } from '#/kit/page/length-text.ts'
import type { Task } from './queries.ts'

type Progress = NonNullable<Task['progress']>

/** How it stands: `212 stopped, 81 stopping, 7 failed`, `1.42 GiB of 2.1 GiB`, `Step 2 of 3, converting`. */
export function standing({ verb, object, progress, step }: Task): string | undefined {
  const at = step && `Step ${step.number} of ${step.of}, ${step.label}`
  const parts = [at, progress && (amounts[progress.unit](progress, verb, object.kind) || undefined)].filter(
    Boolean,
  )
  return parts.length > 0 ? parts.join(' · ') : undefined
}

type Amount = (progress: Progress, verb: Task['verb'], kind: string) => string

const amounts: Record<Progress['unit'], Amount> = {
  bytes: ({ done, total }) => `${formatBytes(done)} of ${formatBytes(total)}`,
  percent: ({ done }) => `${formatNumber(done)}%`,
  objects: ({ done, running, failed, total }, verb, kind) => {
    if (total === 0) return ''
    const { running: doing, done: did } = countWords[kind] ?? {
      running: taskWords[verb].running.toLowerCase(),
      done: taskWords[verb].done.toLowerCase(),
    }
    const counts: [number, string][] = [
      [done, did],
      [running, doing],
      [failed, 'failed'],
      [total - done - running - failed, 'waiting'],
    ]
    return counts
      .filter(([count], index) => count > 0 || index === 0)
      .map(([count, word]) => `${formatNumber(count)} ${word}`)
      .join(', ')
  },
}

/** What is counted, where it is not the object itself. */
const countWords: Readonly<Record<string, { running: string; done: string }>> = {
  sled: { running: 'leaving', done: 'left' },
  'support-bundle': { running: 'being collected', done: 'parts collected' },
}

/** `2 min 28 s` while it is open; `14:31 · took 41 s` afterwards, with the day if it was another. */
export function timing({ state, timeBegan, timeEnded }: Task, now: Date): string {
  if (isOpenTask(state)) return lengthText(Math.max(1000, now.getTime() - timeBegan.getTime()))
  if (!timeEnded) return whenText(timeBegan, now)
  return `${whenText(timeEnded, now)} · took ${lengthText(timeEnded.getTime() - timeBegan.getTime())}`
}

export const whenText = (time: Date, now: Date): string =>
  time.toDateString() === now.toDateString() ? formatTime(time) : `${formatDate(time)}, ${formatTime(time)}`

/** Which of the whole each part is, in percent. */
export function shares({ done, running, failed, total }: Progress): {
  done: number
  running: number
  failed: number
} {
  const share = (count: number) => (total > 0 ? (count / total) * 100 : 0)
  return { done: share(done), running: share(running), failed: share(failed) }
}

/** Of the last two readings: `48 MiB/s · 14 s left`. */
export function rateText(before: Reading | undefined, now: Reading, left: number): string | undefined {
  if (!before || now.at <= before.at || now.bytes <= before.bytes) return undefined
  const perSecond = ((now.bytes - before.bytes) / (now.at - before.at)) * 1000
  return `${formatBytes(Math.round(perSecond))}/s · ${lengthText(Math.max(1000, (left / perSecond) * 1000))} left`
}

export interface Reading {
  bytes: number
  at: number
}
