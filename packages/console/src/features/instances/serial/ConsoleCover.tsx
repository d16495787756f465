import type { RunState } from '@gantry/api/compute/instance.rules'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { InstancePlate } from '../parts.tsx'
import type { ConsoleState } from './connection.ts'

interface Props {
  state: ConsoleState
  runState: RunState
  /** Whether the instance's state includes a console. */
  hasConsole: boolean
  whyNotAllowed: string | undefined
  onRetry: () => void
}

/** Covers the empty terminal and says what it is waiting for. */
export function ConsoleCover(props: Props) {
  const isAnimated = props.hasConsole
    ? props.state.status === 'connecting' && !props.whyNotAllowed
    : startsAutomatically(props.runState)
  return (
    <div className="absolute inset-0 bg-term-bg">
      <Bones isAnimated={isAnimated} />
      <div className="absolute inset-0 grid place-items-center p-4">
        <div
          role="status"
          className="grid max-w-80 justify-items-center gap-2 rounded-block border border-term-line bg-term-bg px-6 py-5 text-center"
        >
          <Words {...props} />
        </div>
      </div>
    </div>
  )
}

const startsAutomatically = (state: RunState): boolean => state === 'creating' || state === 'starting'

function Words({ state, runState, hasConsole, whyNotAllowed, onRetry }: Props): ReactNode {
  if (whyNotAllowed) return <p>{whyNotAllowed} to use the serial console.</p>
  if (!hasConsole) {
    return (
      <>
        <p className="flex flex-wrap items-center justify-center gap-2">
          The instance is <InstancePlate state={runState} />
        </p>
        <p className="text-sm text-term-dim">
          {startsAutomatically(runState)
            ? 'Waiting for the instance to start before connecting.'
            : 'You can only connect to the serial console of a running instance.'}
        </p>
      </>
    )
  }
  if (state.status === 'error' || state.status === 'disconnected') {
    return (
      <>
        <p>{state.status === 'error' ? 'Connection failed' : 'Connection lost'}</p>
        {state.retryAt !== undefined && (
          <p aria-hidden className="text-sm text-term-dim">
            Trying again in <Countdown until={state.retryAt} />.
          </p>
        )}
        <Button onClick={onRetry}>Try again now</Button>
      </>
    )
  }
  return (
    <>
      <Spinner size={36} />
      <p>Connecting to serial console</p>
    </>
  )
}

const everySecond = (listener: () => void): (() => void) => {
  const clock = setInterval(listener, 250)
  return () => clearInterval(clock)
}

/** Seconds left. Kept out of the live region, which would announce every second. */
export function Countdown({ until }: { until: number }) {
  const left = useSyncExternalStore(everySecond, () => Math.max(0, Math.ceil((until - Date.now()) / 1000)))
  return <span className="tabular-nums">{left} s</span>
}

// Uneven, like the lines of a boot log.
const widths = ['w-72', 'w-96', 'w-80', 'w-64', 'w-88', 'w-56', 'w-76', 'w-92']

function Bones({ isAnimated }: { isAnimated: boolean }) {
  return (
    <div
      aria-hidden
      className={`space-y-2.5 overflow-hidden p-5 ${isAnimated ? 'animate-[pulse_1.6s_infinite] motion-reduce:animate-none' : ''}`}
    >
      {widths.map((width) => (
        <div key={width} className={`h-2.5 max-w-full rounded-tag bg-term-line ${width}`} />
      ))}
    </div>
  )
}
