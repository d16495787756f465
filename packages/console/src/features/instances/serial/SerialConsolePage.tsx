// @chunk apart: a page of its own, and beside the screen on request.
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { allows, spoken } from '@gantry/api/base/state.rules'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line'
import { useRef, useState } from 'react'
import { useWhyLacking } from '#/data/fleet.ts'
import { usePolling } from '#/data/live.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { useViewed } from '#/kit/page/use-viewed.ts'
import { Button, IconButton } from '#/ui/Button.tsx'
import { formatDateTime } from '#/ui/data/format.ts'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { instanceLink } from '../links.ts'
import { instanceView } from '../queries.ts'
import { whyNotInstance } from '../reasons.ts'
import { CliCommand } from './CliCommand.tsx'
import { ConsoleCover, Countdown } from './ConsoleCover.tsx'
import { ConsoleToolbar, copySelection } from './ConsoleToolbar.tsx'
import { FindBar } from './FindBar.tsx'
import { useFullScreen } from './screen.ts'
import { useSerialConsole } from './use-serial-console.ts'

interface Props {
  project: string
  instance: string
  /** The screen is on the same page. */
  isBeside?: boolean
}

/** Short, because the user is waiting for the instance to boot. */
const waitingPollMs = 1000

const plates: Record<string, [family: StateFamily, word: string]> = {
  connecting: ['busy', 'Connecting'],
  connected: ['ok', 'Connected'],
  disconnected: ['care', 'Disconnected'],
  error: ['fail', 'Error'],
}

export function SerialConsolePage({ project, instance: name, isBeside = false }: Props) {
  const polls = usePolling(1) !== false
  const { data: instance } = useViewed({
    ...instanceView(project, name),
    refetchInterval: ({ state: { data } }) =>
      polls && data && !allows(instanceAllows, 'serialConsole', data.runState) ? waitingPollMs : false,
  })
  const whyNotAllowed = useWhyNotInProject(project)
  const whyNoScreen = useWhyLacking('screens')
  const hasConsole = allows(instanceAllows, 'serialConsole', instance.runState)
  const canConnect = hasConsole && !whyNotAllowed
  const { element, state, size, hasOutput, endedAt, terminal, retry } = useSerialConsole({
    project,
    instance: name,
    canConnect,
    hasEnded: instance.runState === 'stopped' || instance.runState === 'failed',
    onKey: (key, opened) => (key === 'find' ? setFinding(true) : copySelection(opened)),
  })
  const frame = useRef<HTMLDivElement>(null)
  const fullScreen = useFullScreen(frame)
  const [isFinding, setFinding] = useState(false)

  const [family, word] = plates[state.status] ?? (['care', 'Disconnected'] as const)
  const reason = hasConsole
    ? 'reason' in state && state.reason
    : `The instance is ${spoken(instance.runState)}${endedAt ? `. Its output ended ${formatDateTime(endedAt)}` : ''}`
  return (
    <div ref={frame} className="flex min-h-0 grow flex-col bg-page">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-gutter py-2">
        {isBeside ? (
          <h2 className="font-medium">Serial console</h2>
        ) : (
          <h1 tabIndex={-1} className="sr-only">
            Serial console of {name}
          </h1>
        )}
        {fullScreen.isFull && <span className="text-sm text-muted">{fullScreen.hint}</span>}
        {!fullScreen.isFull && !isBeside && (
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <PageLink {...instanceLink(project, name)} className="link inline-flex items-center gap-1.5">
              <ArrowLeft aria-hidden strokeWidth={1.75} className="size-4" />
              Back to {name}
            </PageLink>
            {!whyNoScreen && (
              <PageLink {...instanceLink(project, name, 'screen')} className="link">
                Screen
              </PageLink>
            )}
          </span>
        )}
        {terminal && (
          <ConsoleToolbar
            instance={name}
            terminal={terminal}
            isConnected={state.status === 'connected'}
            whyNotConnect={whyNotAllowed ?? whyNotInstance('serialConsole', instance.runState)}
            onFind={() => setFinding(true)}
            onReconnect={() => {
              retry()
              terminal.focus()
            }}
            fullScreen={fullScreen}
          />
        )}
      </div>
      {isFinding && terminal && (
        <FindBar
          finder={terminal.finder}
          onClose={() => {
            setFinding(false)
            terminal.focus()
          }}
        />
      )}
      <div className="relative mx-gutter min-h-0 grow overflow-hidden rounded-block bg-term-bg text-term-text scheme-dark max-md:mx-2">
        {/* The terminal measures this box, so the padding goes around it. */}
        <div className="absolute inset-0 py-3 pr-2 pl-4">
          <div
            ref={element}
            role="application"
            aria-label={`Serial console of ${name}`}
            className="size-full overflow-hidden font-mono"
          />
        </div>
        {!hasOutput && state.status !== 'connected' && (
          <ConsoleCover
            state={state}
            runState={instance.runState}
            hasConsole={hasConsole}
            whyNotAllowed={whyNotAllowed}
            onRetry={retry}
          />
        )}
        {hasOutput && (
          <div className="absolute top-3 right-5 grid gap-1.5">
            <IconButton
              label="Scroll to top"
              className="size-7! border-term-line! bg-term-bg! coarse:size-11!"
              onClick={() => terminal?.scrollToTop()}
            >
              <ArrowUpToLine aria-hidden strokeWidth={1.75} className="size-4" />
            </IconButton>
            <IconButton
              label="Scroll to bottom"
              className="size-7! border-term-line! bg-term-bg! coarse:size-11!"
              onClick={() => terminal?.scrollToBottom()}
            >
              <ArrowDownToLine aria-hidden strokeWidth={1.75} className="size-4" />
            </IconButton>
          </div>
        )}
      </div>
      <div className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 px-gutter py-2">
        <CliCommand project={project} instance={name} />
        {hasOutput && canConnect && 'retryAt' in state && state.retryAt !== undefined && (
          <span className="ml-auto flex items-center gap-2 text-sm text-muted">
            <span>
              Trying again in <Countdown until={state.retryAt} />
            </span>
            <Button onClick={retry}>Try again now</Button>
          </span>
        )}
        <div
          role="status"
          className="ml-auto flex min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-1 text-sm"
        >
          {hasOutput && reason && (
            <span className="min-w-0 text-muted wrap-anywhere">{sentence(reason)}</span>
          )}
          {size && state.status === 'connected' && (
            <span className="text-muted tabular-nums">
              {size.rows} × {size.cols}
            </span>
          )}
          <StatePlate family={family}>{word}</StatePlate>
        </div>
      </div>
    </div>
  )
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
