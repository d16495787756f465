import { FitAddon } from '@xterm/addon-fit'
import { type ITheme, Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { bufferText } from './buffer-text.ts'
import { allowTerminalStyles } from './strict-styles.ts'
import { createFinder, type Finder } from './finder.ts'

export interface SerialTerminal {
  write: (output: Uint8Array | string) => void
  /** Empties screen and history. */
  reset: () => void
  scrollToTop: () => void
  scrollToBottom: () => void
  focus: () => void
  /** Everything that is on the screen and above it. */
  text: () => string
  selection: () => string
  /** Listens for text being selected or no longer so; answers how to stop. */
  onSelection: (listener: () => void) => () => void
  /** As if it were typed. */
  paste: (text: string) => void
  setFontSize: (pixels: number) => void
  finder: Finder
  dispose: () => void
}

/** Keys that belong to the page and not to the machine. */
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
  // Cells are measured once, when the terminal opens, so the face has to be there by then.
  await document.fonts.load(`${options.fontSize}px ${fontFamily}`).catch(() => undefined)

  const releaseStyles = allowTerminalStyles()
  try {
    return fill(element, fontFamily, options, releaseStyles)
  } catch (error) {
    // Nothing of it stays, so that it can be tried again.
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
    // The face brings its own leading: a cell of 13 px type is 16 px high, which is the line height meant.
    lineHeight: 1,
    scrollback: 5000,
    screenReaderMode: true,
    // The search outlines its matches by decorations, which xterm still counts among them.
    allowProposedApi: true,
    theme: themeOf(element),
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(element)
  terminal.attachCustomKeyEventHandler((event) => {
    // Tab completes in the shell, so the way out by keyboard is backwards.
    if (event.key === 'Tab' && event.shiftKey) return false
    const key = consoleKey(event)
    if (!key) return true
    event.preventDefault()
    if (event.type === 'keydown') onKey(key)
    return false
  })
  terminal.onResize(({ cols, rows }) => onResize({ cols, rows }))
  terminal.onData((text) => onInput(new TextEncoder().encode(text)))
  // Reports of the mouse are bytes already, one to a character.
  terminal.onBinary((bytes) => onInput(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
  fit.fit()
  onResize({ cols: terminal.cols, rows: terminal.rows })

  const finder = createFinder(terminal)
  let frame = 0
  const observer = new ResizeObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => fit.fit())
  })
  observer.observe(element)

  return {
    write: (output) => terminal.write(output),
    reset: () => terminal.reset(),
    scrollToTop: () => terminal.scrollToTop(),
    scrollToBottom: () => terminal.scrollToBottom(),
    focus: () => terminal.focus(),
    text: () => bufferText(terminal.buffer.active),
    selection: () => terminal.getSelection(),
    onSelection(listener) {
      const listening = terminal.onSelectionChange(listener)
      return () => listening.dispose()
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
 * Pasting needs no key of ours: what the browser pastes with arrives as text. Ctrl+C is the machine's, always; on a Mac
 * Cmd+C never gets here.
 */
function consoleKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): ConsoleKey | undefined {
  if (altKey || !(ctrlKey || metaKey)) return undefined
  const letter = key.toLowerCase()
  if (letter === 'f' && !shiftKey) return 'find'
  return letter === 'c' && shiftKey ? 'copy' : undefined
}

/** Colours of the design system, as the browser resolves them where the terminal stands. */
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
