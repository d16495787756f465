import type { LucideIcon } from 'lucide-react'
import AArrowDown from 'lucide-react/icons/a-arrow-down'
import AArrowUp from 'lucide-react/icons/a-arrow-up'
import ALargeSmall from 'lucide-react/icons/a-large-small'
import ClipboardPaste from 'lucide-react/icons/clipboard-paste'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import Maximize from 'lucide-react/icons/maximize'
import Minimize from 'lucide-react/icons/minimize'
import PlugZap from 'lucide-react/icons/plug-zap'
import Search from 'lucide-react/icons/search'
import { useState, useSyncExternalStore } from 'react'
import { IconButton } from '#/ui/Button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { saveText } from '#/ui/save-file.ts'
import { toast } from '#/ui/overlays/toast.ts'
import {
  clampSize,
  defaultSize,
  largestSize,
  readSize,
  saveSize,
  smallestSize,
  type useFullScreen,
} from './screen.ts'
import type { SerialTerminal } from './terminal.ts'

interface Props {
  instance: string
  terminal: SerialTerminal
  isConnected: boolean
  whyNotConnect: string | undefined
  onFind: () => void
  onReconnect: () => void
  fullScreen: ReturnType<typeof useFullScreen>
}

const notYet = 'Only available while connected'

/** The actions of a serial console. */
export function ConsoleToolbar(props: Props) {
  const { instance, terminal, isConnected, whyNotConnect, onFind, onReconnect, fullScreen } = props
  const hasSelection = useSyncExternalStore(terminal.onSelection, () => terminal.selection() !== '')
  return (
    <div role="toolbar" aria-label="Console" className="flex flex-wrap items-center gap-1">
      <Tool label="Find" icon={Search} onClick={onFind} />
      <Tool
        label="Copy selection"
        icon={Copy}
        disabledReason={hasSelection ? undefined : 'Select text in the console first'}
        onClick={() => copySelection(terminal)}
      />
      <Tool
        label="Paste"
        icon={ClipboardPaste}
        disabledReason={isConnected ? undefined : notYet}
        onClick={() => void paste(terminal)}
      />
      <Tool
        label="Download output"
        icon={Download}
        onClick={() => saveText(`${instance}-console.txt`, terminal.text())}
      />
      <TextSize terminal={terminal} />
      {fullScreen.isPossible && (
        <Tool
          label={fullScreen.isFull ? 'Exit full screen' : 'Full screen'}
          icon={fullScreen.isFull ? Minimize : Maximize}
          onClick={() => {
            fullScreen.toggle()
            terminal.focus()
          }}
        />
      )}
      <Tool label="Reconnect" icon={PlugZap} disabledReason={whyNotConnect} onClick={onReconnect} />
    </div>
  )
}

export function copySelection(terminal: SerialTerminal): void {
  const text = terminal.selection()
  if (text === '') return
  void copyText(text).then((isCopied) => {
    if (isCopied) toast.success('Copied from the console')
    terminal.focus()
  })
}

/** Reading the clipboard needs a secure origin and the user's consent; the browser's own paste always works. */
async function paste(terminal: SerialTerminal): Promise<void> {
  // At once: Enter, typed while the clipboard is read, must not press this button again.
  terminal.focus()
  try {
    terminal.paste(await navigator.clipboard.readText())
  } catch {
    const keys = /mac/i.test(navigator.userAgent) ? 'Cmd+V' : 'Ctrl+Shift+V'
    toast.error({ title: 'Could not read the clipboard', text: `Press ${keys} in the console instead.` })
  }
}

function TextSize({ terminal }: { terminal: SerialTerminal }) {
  const [size, setSize] = useState(readSize)
  const change = (next: number) => {
    setSize(clampSize(next))
    saveSize(clampSize(next))
    terminal.setFontSize(clampSize(next))
  }
  return (
    <>
      <Tool
        label="Smaller text"
        icon={AArrowDown}
        disabledReason={size <= smallestSize ? 'Already the smallest size' : undefined}
        onClick={() => change(size - 1)}
      />
      <Tool
        label="Reset text size"
        icon={ALargeSmall}
        disabledReason={size === defaultSize ? 'Already the default size' : undefined}
        onClick={() => change(defaultSize)}
      />
      <Tool
        label="Larger text"
        icon={AArrowUp}
        disabledReason={size >= largestSize ? 'Already the largest size' : undefined}
        onClick={() => change(size + 1)}
      />
    </>
  )
}

interface ToolProps {
  label: string
  icon: LucideIcon
  disabledReason?: string | undefined
  onClick: () => void
}

function Tool({ icon: Icon, ...button }: ToolProps) {
  return (
    <IconButton kind="quiet" className="coarse:size-11!" {...button}>
      <Icon aria-hidden strokeWidth={1.75} className="size-4" />
    </IconButton>
  )
}
