import type { RunState } from '@gantry/api/compute/instance.rules'
import type { ReactNode } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Button } from '#/ui/Button.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { instanceLink } from '../links.ts'
import { InstancePlate } from '../parts.tsx'
import type { ConsoleState } from '../serial/connection.ts'
import { Countdown } from '../serial/ConsoleCover.tsx'

interface Props {
  project: string
  instance: string
  state: ConsoleState
  runState: RunState
  /** Whether the instance's state includes a screen. */
  hasScreen: boolean
  /** Why there is none for this user, or in this installation. */
  whyNot: string | undefined
  onRetry: () => void
}

/** Covers the place of the picture and says what it is waiting for. */
export function ScreenCover(props: Props) {
  return (
    <div className="absolute inset-0 grid place-items-center bg-term-bg p-4">
      <div
        role="status"
        className="grid max-w-80 justify-items-center gap-2 rounded-block border border-term-line bg-term-bg px-6 py-5 text-center"
      >
        <Words {...props} />
      </div>
    </div>
  )
}

function Words({ project, instance, state, runState, hasScreen, whyNot, onRetry }: Props): ReactNode {
  if (whyNot)
    return (
      <>
        <p>{whyNot}.</p>
        <PageLink {...instanceLink(project, instance, 'serial-console')} className="link">
          Go to the serial console
        </PageLink>
      </>
    )
  if (!hasScreen)
    return (
      <>
        <p className="flex flex-wrap items-center justify-center gap-2">
          The instance is <InstancePlate state={runState} />
        </p>
        <p className="text-sm text-term-dim">
          {runState === 'creating' || runState === 'starting'
            ? 'Its screen appears as soon as it runs.'
            : 'Only a running instance has a screen. Start it to see one.'}
        </p>
      </>
    )
  if (state.status === 'error' || state.status === 'disconnected')
    return (
      <>
        <p>{state.status === 'error' ? 'Connection failed' : 'Connection lost'}</p>
        {state.reason && <p className="text-sm wrap-anywhere">{state.reason}</p>}
        {state.retryAt !== undefined && (
          <p aria-hidden className="text-sm text-term-dim">
            Trying again in <Countdown until={state.retryAt} />.
          </p>
        )}
        <Button onClick={onRetry}>Try again now</Button>
      </>
    )
  return (
    <>
      <Spinner size={36} />
      <p>Connecting to the screen</p>
    </>
  )
}
