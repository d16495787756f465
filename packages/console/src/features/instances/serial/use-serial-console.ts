import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { loadWithRetry } from '#/ui/lazy-part.tsx'
import { type Connection, type ConsoleState, keepConnected, type Socket } from './connection.ts'
import { instanceView } from '../queries.ts'
import { streamUrl } from './stream-url.ts'
import { readSize } from './font-size.ts'
import type { ConsoleKey, SerialTerminal } from './terminal.ts'

interface Options {
  project: string
  instance: string
  /** The machine has a console now, and this person may use it. */
  canConnect: boolean
  onKey: (key: ConsoleKey, terminal: SerialTerminal) => void
}

/** Without a machine there is no connection, whatever the last one came to; its reason is still worth knowing. */
const ended = (last: ConsoleState): ConsoleState => ({
  status: 'disconnected',
  ...('reason' in last && last.reason && { reason: last.reason }),
})

const notYet: ConsoleState = { status: 'connecting' }

/** Whoever is somewhere else by now, as to find a line, would type into the machine all at once. */
const isFocusFree = (element: HTMLElement | null): boolean =>
  document.activeElement === document.body || element?.contains(document.activeElement) === true

/**
 * A terminal in an element, connected for as long as that is possible. What was printed stays when the connection
 * ends; with the next one it is replaced by the history that the server sends, since there is no way to ask for
 * only what was missed.
 */
export function useSerialConsole({ project, instance, canConnect, onKey }: Options) {
  const queryClient = useQueryClient()
  const element = useRef<HTMLDivElement>(null)
  const connection = useRef<Connection>(undefined)
  const [terminal, setTerminal] = useState<SerialTerminal>()
  const [state, setState] = useState<ConsoleState>(notYet)
  const [size, setSize] = useState<{ cols: number; rows: number }>()
  const [hasOutput, setHasOutput] = useState(false)
  const hasOpened = useRef(false)
  const open = useRef<() => void>(undefined)
  const onKeyNow = useRef(onKey)
  useEffect(() => {
    onKeyNow.current = onKey
  })

  useEffect(() => {
    const box = element.current
    if (!box) return
    let isGone = false
    let opened: SerialTerminal | undefined
    open.current = () =>
      void loadWithRetry(() => import('./terminal.ts'))
        .then(({ openTerminal }) =>
          isGone
            ? undefined
            : openTerminal(box, {
                fontSize: readSize(),
                onInput: (bytes) => connection.current?.send(bytes),
                onResize: setSize,
                onKey: (key) => opened && onKeyNow.current(key, opened),
              }),
        )
        .then((made) => {
          opened = made
          if (isGone) made?.dispose()
          else setTerminal(made)
        })
        .catch((error: unknown) => {
          console.error(error)
          if (!isGone) setState({ status: 'error' })
        })
    open.current()
    return () => {
      isGone = true
      opened?.dispose()
      setTerminal(undefined)
    }
  }, [])

  useEffect(() => {
    if (!terminal || !canConnect) return
    const kept = keepConnected({
      connect: () => new WebSocket(streamUrl(location, project, instance)) as Socket,
      onOpen: () => {
        terminal.reset()
        if (!hasOpened.current || isFocusFree(element.current)) terminal.focus()
        hasOpened.current = true
      },
      onOutput: (output) => {
        setHasOutput(true)
        terminal.write(output)
      },
      onState: (next) => {
        setState(next)
        // A browser does not tell why it was refused: whether the machine, or the session, is still there.
        const hasEnded = next.status === 'disconnected' || next.status === 'error'
        if (hasEnded)
          void queryClient.invalidateQueries({ queryKey: instanceView(project, instance).queryKey })
      },
    })
    connection.current = kept
    return () => {
      connection.current = undefined
      kept.close()
    }
  }, [terminal, canConnect, project, instance, queryClient])

  const retry = useCallback(() => {
    if (connection.current) return connection.current.retry()
    // Without a terminal there is nothing to connect: it could not be opened.
    setState(notYet)
    open.current?.()
  }, [])
  return { element, state: canConnect ? state : ended(state), size, hasOutput, terminal, retry }
}
