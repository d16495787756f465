// @chunk apart: the client of RFB is large.
import novnc from '@novnc/novnc/lib/rfb.js'
import { type KeyboardWord, screenChannels } from '@gantry/api/compute/screen.rules'
import type { Press } from './us-keys.ts'

/** Characters that are typed in a second: guests lose keys that come faster. */
const TYPED_PER_SECOND = 40

export interface ScreenClient {
  /** Takes what the machine sends. */
  receive: (bytes: Uint8Array<ArrayBuffer>) => void
  focus: () => void
  /** Whether keys and pointer go to the machine. */
  setControl: (hasControl: boolean) => void
  /** Fits the picture into its place, or shows it in its own size. */
  setFit: (isFit: boolean) => void
  /** Presses these keys together. */
  press: (...keys: readonly Press[]) => void
  /** Types one key after the other; resolves at the end, or when it is stopped. */
  type: (keys: readonly Press[], progress: (done: number) => void, signal: AbortSignal) => Promise<void>
  /** The picture as PNG. */
  picture: () => Promise<Blob | null>
  close: () => void
}

interface Options {
  /** The accessible name of the picture. */
  label: string
  /** The id of what says how to leave. */
  describedBy: string
  isFit: boolean
  send: (bytes: Uint8Array<ArrayBuffer>) => void
  onSize: (size: { width: number; height: number }) => void
  /** The machine offers what was copied on it. */
  onClipboard: (text: string) => void
  /** The machine sends something else than a screen. */
  onBroken: () => void
  /** Ctrl+Alt+G: the keyboard is wanted for the page. */
  onLeave: () => void
}

const shift: Press = { symbol: 0xffe1, code: 'ShiftLeft', isShifted: false }

/** One conversation with a machine about its screen, which is shown in the element. */
export function openScreen(element: HTMLElement, options: Options): ScreenClient {
  let isClosed = false
  const channel = {
    binaryType: 'arraybuffer',
    protocol: '',
    readyState: 'open',
    onopen: null as (() => void) | null,
    onclose: null as ((event: object) => void) | null,
    onmessage: null as ((event: { data: ArrayBuffer }) => void) | null,
    onerror: null as ((event: object) => void) | null,
    send: (bytes: Uint8Array) => {
      if (!isClosed) options.send(framed(screenChannels.rfb, bytes))
    },
    close: () => {
      if (!isClosed) options.onBroken()
    },
  }
  const rfb = new novnc.default(element, channel, { shared: true })
  // Until the server says who is at the keyboard.
  rfb.viewOnly = true
  rfb.scaleViewport = options.isFit
  rfb.showDotCursor = true
  rfb.background = 'transparent'
  rfb.addEventListener('clipboard', (event) => {
    const { text } = (event as CustomEvent<{ text: string }>).detail
    options.onClipboard(text)
  })

  const canvas = element.querySelector('canvas')
  canvas?.setAttribute('role', 'application')
  canvas?.setAttribute('aria-label', options.label)
  canvas?.setAttribute('aria-describedby', options.describedBy)
  if (canvas) canvas.tabIndex = 0
  const measured = new MutationObserver(() => {
    if (canvas && canvas.width > 0) options.onSize({ width: canvas.width, height: canvas.height })
  })
  if (canvas) measured.observe(canvas, { attributes: true, attributeFilter: ['width', 'height'] })

  const onKey = (event: KeyboardEvent): void => {
    if (!event.ctrlKey || !event.altKey || event.code !== 'KeyG') return
    event.preventDefault()
    event.stopImmediatePropagation()
    options.onLeave()
  }
  // Keys that are held when the focus goes elsewhere would stay held: the client lets them go when a window loses it.
  const onBlur = (): void => void dispatchEvent(new Event('blur'))
  element.addEventListener('keydown', onKey, true)
  element.addEventListener('focusout', onBlur)

  return {
    receive: (bytes) => channel.onmessage?.({ data: bytes.slice().buffer }),
    focus: () => rfb.focus({ preventScroll: true }),
    setControl(hasControl) {
      rfb.viewOnly = !hasControl
    },
    setFit(isFit) {
      rfb.scaleViewport = isFit
    },
    press(...keys) {
      for (const { symbol, code } of keys) rfb.sendKey(symbol, code, true)
      for (const { symbol, code } of keys.toReversed()) rfb.sendKey(symbol, code, false)
    },
    async type(keys, progress, signal) {
      for (const [done, key] of keys.entries()) {
        if (signal.aborted || isClosed) return
        this.press(...(key.isShifted ? [shift, key] : [key]))
        progress(done + 1)
        await new Promise((resolve) => setTimeout(resolve, 1000 / TYPED_PER_SECOND))
      }
    },
    picture: () => new Promise((resolve) => rfb.toBlob(resolve)),
    close() {
      isClosed = true
      measured.disconnect()
      element.removeEventListener('keydown', onKey, true)
      element.removeEventListener('focusout', onBlur)
      rfb.disconnect()
    },
  }
}

/** What is said about the keyboard, as a message. */
export const keyboardMessage = (word: KeyboardWord): Uint8Array<ArrayBuffer> =>
  framed(screenChannels.keyboard, new TextEncoder().encode(word))

function framed(channel: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const message = new Uint8Array(bytes.length + 1)
  message[0] = channel
  message.set(bytes, 1)
  return message
}
