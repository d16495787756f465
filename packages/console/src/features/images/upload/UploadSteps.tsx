import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useSyncExternalStore } from 'react'
import { classes } from '#/ui/classes.ts'
import { formatFileSize } from '#/ui/data/format-amounts.ts'
import { formatBytes, formatDistance } from '#/ui/data/format.ts'
import { Progress } from '#/ui/data/Progress.tsx'
import { Arc } from '#/ui/feedback/Spinner.tsx'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { percentOf } from './progress.ts'
import type { StepState, UploadTask } from './task.ts'

export function UploadSteps({ task }: { task: UploadTask }) {
  const { steps } = useSyncExternalStore(task.subscribe, task.state)
  const { labels, bytesStep, convertStep } = task.flow
  return (
    <ol className="divide-y divide-faint-line rounded-block border border-line">
      {labels.map((label, index) => {
        const state = steps[index] ?? 'ready'
        const isEnd = index === labels.length - 1
        return (
          <li
            key={label}
            data-status={state}
            className={classes('px-3.5 py-2.5', isEnd && state === 'complete' && 'bg-ok-tint')}
          >
            <div className="flex items-center gap-2.5">
              <StepSign state={state} number={index + 1} />
              <span className={state === 'ready' ? 'text-muted' : 'text-strong'}>
                {label}
                <span className="sr-only">, {stateWords[state]}</span>
              </span>
            </div>
            {index === bytesStep && state !== 'ready' && <Bytes task={task} />}
            {index === convertStep && state === 'running' && <Converted task={task} />}
          </li>
        )
      })}
    </ol>
  )
}

const stateWords: Record<StepState, string> = {
  ready: 'not started',
  running: 'in progress',
  complete: 'complete',
  error: 'failed',
}

function StepSign({ state, number }: { state: StepState; number: number }) {
  const frame = 'grid size-5 shrink-0 place-items-center text-xs'
  if (state === 'running') return <Arc className="size-5 text-busy-fill" />
  if (state === 'complete') return <Check aria-hidden className={classes(frame, 'text-ok-fill')} />
  if (state === 'error') return <X aria-hidden className={classes(frame, 'text-fail-fill')} />
  return (
    <span aria-hidden className={classes(frame, 'text-muted tabular-nums')}>
      {number}
    </span>
  )
}

/** How far the server is. */
function Converted({ task }: { task: UploadTask }) {
  const { converted } = useSyncExternalStore(task.subscribe, task.state)
  if (converted === undefined) return null
  return (
    <div className="mt-2 ml-7.5 space-y-1.5 text-sm">
      <Progress label="Conversion progress" percent={converted} />
      <p className="text-muted tabular-nums">{converted}%</p>
    </div>
  )
}

/** Progress, speed and time left. */
function Bytes({ task }: { task: UploadTask }) {
  const { bytes, pace, phase } = useSyncExternalStore(task.subscribe, task.state)
  const { fileName, size } = task.about
  const percent = percentOf(bytes, size)
  return (
    <div className="mt-2 ml-7.5 space-y-1.5 text-sm">
      <div className="flex flex-wrap justify-between gap-x-4 text-muted tabular-nums">
        <span className="text-text">
          <Truncate text={fileName} max={32} at="middle" />
        </span>
        <span>
          {formatFileSize(bytes)} / {formatFileSize(size)}
        </span>
      </div>
      <Progress label="Upload progress" percent={percent} />
      <div className="flex flex-wrap justify-between gap-x-4 text-muted tabular-nums">
        <span>{percent}%</span>
        <span>
          {phase === 'paused' && 'Paused'}
          {pace && `${formatBytes(pace.bytesPerSecond)}/s, ${formatDistance(pace.secondsLeft * 1000)} left`}
        </span>
      </div>
    </div>
  )
}
