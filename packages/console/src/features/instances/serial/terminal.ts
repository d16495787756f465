// @chunk apart: the terminal is large.
import { FitAddon } from '@xterm/addon-fit'
import { type ITheme, Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { bufferText } from './buffer-text.ts'
import { decodedStream } from './decoded-stream.ts'
import { allowTerminalStyles } from './strict-styles.ts'
import { createFinder, type Finder } from './finder.ts'

export interface SerialTerminal {
  write: (output: Uint8Array | string) => void
  /** Clears screen and history. */
  reset: () => void
  scrollToTop: () => void
  scrollToBottom: () => void
  focus: () => void
  /** All text of the screen and the history. */
  text: () => string
  selection: () => string
  /** Notifies when a selection appears or disappears; returns how to stop. */
  onSelection: (listener: () => void) => () => void
  /** Inserts text as if typed. */
  paste: (text: string) => void
  setFontSize: (pixels: number) => void
  finder: Finder
  dispose: () => void
}

/** Keys for the page, not for the instance. */
export type ConsoleKey = 'find' | 'copy'

interface Options {
  fontSize: number
  onInput: (bytes: Uint8Array<ArrayBuffer>) => void
  onResize: (size: { cols: number; rows: number }) => void
  onKey: (key: ConsoleKey) => void
}

/** A terminal that fills the element and follows its size. */
export async function openTerminal(element: HTMLElement, options: Options): Promise<SerialTerminal> {
  const { fontFamily } = getComputedStyle(element)
  // The terminal measures its cells once, on opening, so the font must be loaded by then.
  await document.fonts.load(`${options.fontSize}px ${fontFamily}`).catch(() => undefined)

  const releaseStyles = allowTerminalStyles()
  try {
    return fill(element, fontFamily, options, releaseStyles)
  } catch (error) {
    // Rolled back completely, so that opening can be retried.
    releaseStyles()
    element.replaceChildren()
    throw error
  }
}

function fill(
  element: HTMLElement,
  fontFamily: string,
  { fontSize, onInput, onResize, onKey }: Options,
  releaseStyles: () => void,
): SerialTerminal {
  const terminal = new Terminal({
    fontFamily,
    fontSize,
    // The font has its own leading: at 13 px, a cell is 16 px high, which is the design's line height.
    lineHeight: 1,
    scrollback: 5000,
    screenReaderMode: true,
    // Search highlights use decorations, which xterm still considers a proposed API.
    allowProposedApi: true,
    theme: themeOf(element),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(element)
  terminal.attachCustomKeyEventHandler((event) => {
    // Tab completes in the shell, so only Shift+Tab leaves the terminal.
    if (event.key === 'Tab' && event.shiftKey) return false
    const key = consoleKey(event)
    if (!key) return true
    event.preventDefault()
    if (event.type === 'keydown') onKey(key)
    return false
  })
  terminal.onResize(({ cols, rows }) => onResize({ cols, rows }))
  terminal.onData((text) => onInput(new TextEncoder().encode(text)))
  // Mouse reports are bytes, one per character.
  terminal.onBinary((bytes) => onInput(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
  fit.fit()
  onResize({ cols: terminal.cols, rows: terminal.rows })

  const decode = decodedStream()
  const finder = createFinder(terminal)
  let frame = 0
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => fit.fit())
  })
  observer.observe(element)

  return {
    write: (output) => terminal.write(decode(output)),
    reset() {
      decode.reset()
      terminal.reset()
    },
    scrollToTop: () => terminal.scrollToTop(),
    scrollToBottom: () => terminal.scrollToBottom(),
    focus: () => terminal.focus(),
    text: () => bufferText(terminal.buffer.active),
    selection: () => terminal.getSelection(),
    onSelection(listener) {
      const listening = terminal.onSelectionChange(listener)
      // The terminal does not report it when a search selects again what was selected before a clearing.
      const stop = finder.onSearched(listener)
      return () => {
        listening.dispose()
        stop()
      }
    },
    paste(text) {
      terminal.paste(text)
      terminal.focus()
    },
    setFontSize(pixels) {
      terminal.options.fontSize = pixels
      fit.fit()
    },
    finder,
    dispose() {
      cancelAnimationFrame(frame)
      observer.disconnect()
      terminal.dispose()
      releaseStyles()
    },
  }
}

/**
 * Pasting needs no key: the browser's paste arrives as text. Ctrl+C always goes to the instance; on a Mac, Cmd+C
 * never arrives here.
 */
function consoleKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): ConsoleKey | undefined {
  if (altKey || !(ctrlKey || metaKey)) return undefined
  const letter = key.toLowerCase()
  if (letter === 'f' && !shiftKey) return 'find'
  return letter === 'c' && shiftKey ? 'copy' : undefined
}

/** The design system's colours, as the browser resolves them at the terminal's position. */
function themeOf(element: HTMLElement): ITheme {
  const probe = element.appendChild(document.createElement('i'))
  const colour = (token: string): string => {
    probe.style.color = `var(--${token})`
    return getComputedStyle(probe).color
  }
  const theme: ITheme = {
    background: colour('term-bg'),
    foreground: colour('term-text'),
    cursor: colour('term-cursor'),
    cursorAccent: colour('term-bg'),
    selectionBackground: colour('surface-selected'),
    scrollbarSliderBackground: colour('term-line'),
    scrollbarSliderHoverBackground: colour('term-dim'),
    scrollbarSliderActiveBackground: colour('term-dim'),
    black: colour('term-line'),
    brightBlack: colour('term-dim'),
    red: colour('fail-fill'),
    brightRed: colour('fail-text'),
    green: colour('ok-fill'),
    brightGreen: colour('ok-text'),
    yellow: colour('busy-fill'),
    brightYellow: colour('busy-text'),
    blue: colour('chart-1'),
    brightBlue: colour('accent-text'),
    magenta: colour('chart-4'),
    brightMagenta: colour('chart-4'),
    cyan: colour('chart-3'),
    brightCyan: colour('chart-3'),
    white: colour('term-text'),
    brightWhite: colour('text-strong'),
  }
  probe.remove()
  return theme
}
