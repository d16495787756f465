import { type KeyboardWord, screenChannels, type ScreenSeats } from '@gantry/api/compute/screen.rules'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { loadWithRetry } from '#/ui/lazy-part.tsx'
import { instanceView } from '../queries.ts'
import { type Connection, type ConsoleState, keepConnected, type Socket } from '../serial/connection.ts'
import type { ScreenClient } from './screen-client.ts'
import { screenUrl } from './screen-url.ts'

interface Options {
  project: string
  instance: string
  /** The instance has a screen now, and the user may use it. */
  canConnect: boolean
  label: string
  describedBy: string
  /** The keyboard is wanted for the page. */
  onLeave: () => void
}

type Parts = typeof import('./screen-client.ts')

const BROKEN_RETRY_MS = 2000

/** Taking the focus from another element, such as the search field, would send the user's typing to the instance. */
const isFocusFree = (element: HTMLElement | null): boolean =>
  document.activeElement === document.body || element?.contains(document.activeElement) === true

/** A screen in an element, connected whenever possible. The last picture stays when the connection ends. */
export function useScreen({ project, instance, canConnect, label, describedBy, onLeave }: Options) {
  const queryClient = useQueryClient()
  const element = useRef<HTMLDivElement>(null)
  const connection = useRef<Connection>(undefined)
  const client = useRef<ScreenClient>(undefined)
  const [parts, setParts] = useState<Parts>()
  const [state, setState] = useState<ConsoleState>({ status: 'connecting' })
  const [seats, setSeats] = useState<ScreenSeats>()
  const [size, setSize] = useState<{ width: number; height: number }>()
  const [copied, setCopied] = useState<string>()
  const [isFit, setFit] = useState(true)
  const shown = useRef({ isFit, viewOnly: false })
  const onLeaveNow = useRef(onLeave)
  useEffect(() => {
    onLeaveNow.current = onLeave
  })
  const load = useCallback(
    () =>
      loadWithRetry(() => import('./screen-client.ts')).then(setParts, (error: unknown) => {
        console.error(error)
        setState({ status: 'error' })
      }),
    [],
  )
  useEffect(() => void load(), [load])

  useEffect(() => {
    const box = element.current
    if (!parts || !canConnect || !box) return
    let isGone = false
    const kept = keepConnected({
      connect: () =>
        new WebSocket(screenUrl(location, { project, instance, viewOnly: shown.current.viewOnly })) as Socket,
      onOpen: () => {
        const wasFocused = isFocusFree(box)
        client.current?.close()
        client.current = parts.openScreen(box, {
          label,
          describedBy,
          isFit: shown.current.isFit,
          send: (bytes) => connection.current?.send(bytes),
          onSize: setSize,
          onClipboard: setCopied,
          onBroken: () => {
            setTimeout(() => {
              if (!isGone) kept.retry()
            }, BROKEN_RETRY_MS)
          },
          onLeave: () => onLeaveNow.current(),
        })
        if (wasFocused) client.current.focus()
      },
      onOutput: (output) => {
        if (typeof output === 'string') return
        const rest = output.slice(1)
        if (output[0] === screenChannels.rfb) return client.current?.receive(rest)
        const told = JSON.parse(new TextDecoder().decode(rest)) as ScreenSeats
        client.current?.setControl(told.keyboard === told.you)
        setSeats(told)
      },
      onState: (next) => {
        setState(next)
        if (next.status === 'connected') return
        setSeats(undefined)
        client.current?.setControl(false)
        // A browser gives no reason for a refused WebSocket, so check whether instance and session still exist.
        if (next.status !== 'connecting')
          void queryClient.invalidateQueries({ queryKey: instanceView(project, instance).queryKey })
      },
    })
    connection.current = kept
    return () => {
      isGone = true
      connection.current = undefined
      kept.close()
      client.current?.close()
      client.current = undefined
      setSeats(undefined)
      setSize(undefined)
    }
  }, [parts, canConnect, project, instance, label, describedBy, queryClient])

  const say = (word: KeyboardWord): void => {
    // A connection that is lost comes back as it was wanted last.
    if (word === 'release') shown.current.viewOnly = true
    if (word === 'ask') shown.current.viewOnly = false
    if (parts) connection.current?.send(parts.keyboardMessage(word))
  }
  return {
    element,
    client,
    state,
    seats: state.status === 'connected' ? seats : undefined,
    size,
    copied,
    isFit,
    say,
    toggleFit: () => {
      shown.current.isFit = !isFit
      client.current?.setFit(!isFit)
      setFit(!isFit)
    },
    retry: () => {
      if (connection.current) connection.current.retry()
      else void load()
    },
  }
}
