import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { allows, spoken } from '@gantry/api/base/state.rules'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useId, useRef, useState } from 'react'
import { useWhyLacking } from '#/data/fleet.ts'
import { usePolling } from '#/data/live.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { Button } from '#/ui/Button.tsx'
import { classes } from '#/ui/classes.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { instanceLink } from '../links.ts'
import { instanceView } from '../queries.ts'
import { whyNotInstance } from '../reasons.ts'
import { Countdown } from '../serial/ConsoleCover.tsx'
import { useFullScreen } from '../serial/screen.ts'
import { PasteDialog } from './PasteDialog.tsx'
import { ScreenCover } from './ScreenCover.tsx'
import { KeyboardQuestion, ScreenSeatsBar } from './ScreenSeatsBar.tsx'
import { ScreenToolbar } from './ScreenToolbar.tsx'
import { useScreen } from './use-screen.ts'
import { useTyping } from './use-typing.ts'

interface Props {
  project: string
  instance: string
}

/** Short, because the user is waiting for the instance to boot. */
const waitingPollMs = 1000

const plates: Record<string, [family: StateFamily, word: string]> = {
  connecting: ['busy', 'Connecting'],
  connected: ['ok', 'Connected'],
  disconnected: ['care', 'Disconnected'],
  error: ['fail', 'Error'],
}

const SerialConsolePage = lazyPart(() => import('../serial/SerialConsolePage.tsx'), 'SerialConsolePage')

/** The screen of an instance, with its serial console beside it on request, or below it where there is no room. */
export function ScreenPage({ project, instance }: Props) {
  const [isBeside, setBeside] = useState(false)
  return (
    <div
      className={classes(
        'grid min-h-0 grow grid-cols-[minmax(0,1fr)]',
        isBeside
          ? 'grid-rows-[repeat(2,minmax(24rem,1fr))] overflow-y-auto lg:grid-cols-2 lg:grid-rows-[minmax(0,1fr)]'
          : 'grid-rows-[minmax(0,1fr)]',
      )}
    >
      <Screen project={project} instance={instance} isBeside={isBeside} onBeside={setBeside} />
      {isBeside && (
        <section aria-label="Serial console" className="flex min-h-0 flex-col">
          <SerialConsolePage project={project} instance={instance} isBeside />
        </section>
      )}
    </div>
  )
}

interface ScreenProps extends Props {
  /** The serial console is on the same page. */
  isBeside: boolean
  onBeside: (isBeside: boolean) => void
}

function Screen({ project, instance: name, isBeside, onBeside }: ScreenProps) {
  const polls = usePolling(1) !== false
  const { data: instance } = useViewed({
    ...instanceView(project, name),
    refetchInterval: ({ state: { data } }) =>
      polls && data && !allows(instanceAllows, 'serialConsole', data.runState) ? waitingPollMs : false,
  })
  const whyNotAllowed = useWhyNotInProject(project)
  const whyLacking = useWhyLacking('screens')
  const whyNot = whyLacking ?? (whyNotAllowed && `${whyNotAllowed} to use the screen`)
  const hasScreen = allows(instanceAllows, 'serialConsole', instance.runState)
  const frame = useRef<HTMLDivElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const hint = useId()
  const { element, client, state, seats, size, copied, isFit, say, toggleFit, retry } = useScreen({
    project,
    instance: name,
    canConnect: hasScreen && !whyNot,
    label: `Screen of ${name}`,
    describedBy: hint,
    onLeave: () => title.current?.focus(),
  })
  const fullScreen = useFullScreen(frame)
  const typing = useTyping(client)
  const [isPasting, setPasting] = useState(false)
  const focus = (): void => client.current?.focus()

  const isConnected = hasScreen && !whyNot && state.status === 'connected'
  const [family, word] =
    plates[hasScreen ? state.status : 'disconnected'] ?? (['care', 'Disconnected'] as const)
  const hasKeyboard = seats !== undefined && seats.keyboard === seats.you
  const whyNoKeyboard = !isConnected
    ? 'Only available while connected'
    : hasKeyboard
      ? undefined
      : 'Take the keyboard first'
  return (
    <div ref={frame} className="flex min-h-0 grow flex-col bg-page">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-gutter py-2">
        <h1 ref={title} tabIndex={-1} className="sr-only">
          Screen of {name}
        </h1>
        {fullScreen.isFull ? (
          <span className="text-sm text-muted">{fullScreen.hint}</span>
        ) : (
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <PageLink {...instanceLink(project, name)} className="link inline-flex items-center gap-1.5">
              <ArrowLeft aria-hidden strokeWidth={1.75} className="size-4" />
              Back to {name}
            </PageLink>
            {!isBeside && (
              <PageLink {...instanceLink(project, name, 'serial-console')} className="link">
                Serial console
              </PageLink>
            )}
            <button type="button" className="link" onClick={() => onBeside(!isBeside)}>
              {isBeside ? 'Close the serial console' : 'Side by side'}
            </button>
          </span>
        )}
        <ScreenToolbar
          instance={name}
          client={client}
          isConnected={isConnected}
          whyNoKeyboard={whyNoKeyboard}
          whyNotConnect={whyNot ?? whyNotInstance('serialConsole', instance.runState)}
          copied={copied}
          hasPicture={size !== undefined}
          isFit={isFit}
          onFit={toggleFit}
          onPaste={() => setPasting(true)}
          onReconnect={() => {
            retry()
            focus()
          }}
          fullScreen={fullScreen}
        />
      </div>
      <div className="relative mx-gutter min-h-0 grow overflow-hidden rounded-block bg-term-bg text-term-text scheme-dark max-md:mx-2">
        <div ref={element} className="absolute inset-0 focus-within:outline-2 focus-within:outline-accent" />
        {(whyNot !== undefined || !hasScreen || size === undefined) && (
          <ScreenCover
            project={project}
            instance={name}
            state={state}
            runState={instance.runState}
            hasScreen={hasScreen}
            whyNot={whyNot}
            onRetry={retry}
          />
        )}
        {seats && <KeyboardQuestion seats={seats} say={say} onDone={focus} />}
      </div>
      <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 px-gutter py-2">
        {seats && <ScreenSeatsBar seats={seats} say={say} onDone={focus} />}
        {typing.left !== undefined && (
          <span className="flex items-center gap-2 text-sm">
            <span className="text-muted tabular-nums">{typing.left} keys left to type</span>
            <Button onClick={typing.stop}>Stop typing</Button>
          </span>
        )}
        {isConnected || !('retryAt' in state) || state.retryAt === undefined || size === undefined ? null : (
          <span className="flex items-center gap-2 text-sm text-muted">
            <span>
              {state.reason ?? 'Connection lost'}. Trying again in <Countdown until={state.retryAt} />
            </span>
            <Button onClick={retry}>Try again now</Button>
          </span>
        )}
        <span id={hint} className="text-sm text-muted max-md:w-full">
          {hasKeyboard
            ? 'Keys go to the instance while the picture has the focus; Ctrl+Alt+G leaves it.'
            : 'Only the picture is shown: keys and clicks have no effect.'}
        </span>
        <div
          role="status"
          className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-1 text-sm"
        >
          {!hasScreen && <span className="text-muted">The instance is {spoken(instance.runState)}</span>}
          {size && isConnected && (
            <span className="text-muted tabular-nums">
              {size.width} × {size.height}
            </span>
          )}
          <StatePlate family={family}>{word}</StatePlate>
        </div>
      </div>
      {isPasting && (
        <PasteDialog
          instance={name}
          onClose={() => setPasting(false)}
          onType={(keys) => {
            setPasting(false)
            typing.start(keys)
          }}
        />
      )}
    </div>
  )
}
