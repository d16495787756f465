import * as op from '@gantry/api/client/operations.gen'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isAbsent } from '#/data/extensions.ts'
import { opQuery } from '#/data/queries.ts'
import { loadWithRetry } from '#/ui/lazy-part.tsx'
import { type Connection, type ConsoleState, keepConnected, type Socket } from './connection.ts'
import { instanceAt, instanceView } from '../queries.ts'
import { streamUrl } from './stream-url.ts'
import { readSize } from './screen.ts'
import type { ConsoleKey, SerialTerminal } from './terminal.ts'

interface Options {
  project: string
  instance: string
  /** The instance has a console now, and the user may use it. */
  canConnect: boolean
  /** The instance has stopped or failed: the output of its last machine is shown. */
  hasEnded: boolean
  onKey: (key: ConsoleKey, terminal: SerialTerminal) => void
}

/** Without a running instance there is no connection, whatever its last state; the reason for its end still matters. */
const ended = (last: ConsoleState): ConsoleState => ({
  status: 'disconnected',
  ...('reason' in last && last.reason && { reason: last.reason }),
})

const notYet: ConsoleState = { status: 'connecting' }

/** Taking the focus from another element, such as the search field, would send the user's typing to the instance. */
const isFocusFree = (element: HTMLElement | null): boolean =>
  document.activeElement === document.body || element?.contains(document.activeElement) === true

/**
 * A terminal in an element, connected whenever possible. The output stays when the connection ends. The next
 * connection replaces it by the server's history, because the API cannot send only the missing part.
 */
export function useSerialConsole({ project, instance, canConnect, hasEnded, onKey }: Options) {
  const queryClient = useQueryClient()
  const element = useRef<HTMLDivElement>(null)
  const connection = useRef<Connection>(undefined)
  const [terminal, setTerminal] = useState<SerialTerminal>()
  const [state, setState] = useState<ConsoleState>(notYet)
  const [size, setSize] = useState<{ cols: number; rows: number }>()
  const [hasOutput, setHasOutput] = useState(false)
  /** When the machine ended whose kept output is shown. */
  const [endedAt, setEndedAt] = useState<Date>()
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
        setEndedAt(undefined)
        if (!hasOpened.current || isFocusFree(element.current)) terminal.focus()
        hasOpened.current = true
      },
      onOutput: (output) => {
        setHasOutput(true)
        terminal.write(output)
      },
      onState: (next) => {
        setState(next)
        // A browser gives no reason for a refused WebSocket, so check whether instance and session still exist.
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

  useEffect(() => {
    if (!terminal || !hasEnded || hasOutput || isAbsent(op.instanceLastOutputView)) return
    let isWanted = true
    // Without it, the page says why there is no console.
    void queryClient
      .fetchQuery({ ...opQuery(op.instanceLastOutputView, instanceAt(project, instance)), staleTime: 0 })
      .then(({ output }) => {
        if (!isWanted || !output) return
        terminal.write(Uint8Array.from(atob(output.data), (char) => char.charCodeAt(0)))
        setEndedAt(output.time)
        setHasOutput(true)
      })
      .catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [terminal, hasEnded, hasOutput, project, instance, queryClient])

  const retry = useCallback(() => {
    if (connection.current) return connection.current.retry()
    // There is no terminal to connect, because it could not be opened.
    setState(notYet)
    open.current?.()
  }, [])
  return { element, state: canConnect ? state : ended(state), size, hasOutput, endedAt, terminal, retry }
}
