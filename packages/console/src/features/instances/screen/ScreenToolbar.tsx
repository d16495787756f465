import Camera from 'lucide-react/icons/camera'
import ClipboardPaste from 'lucide-react/icons/clipboard-paste'
import Copy from 'lucide-react/icons/copy'
import Keyboard from 'lucide-react/icons/keyboard'
import Maximize from 'lucide-react/icons/maximize'
import Minimize from 'lucide-react/icons/minimize'
import PlugZap from 'lucide-react/icons/plug-zap'
import Scaling from 'lucide-react/icons/scaling'
import type { LucideIcon } from 'lucide-react'
import type { RefObject } from 'react'
import { Button, IconButton } from '#/ui/Button.tsx'
import { copyText } from '#/ui/copy-text.ts'
import { MenuButton } from '#/ui/overlays/MenuButton.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { saveFile } from '#/ui/save-file.ts'
import type { useFullScreen } from '../serial/screen.ts'
import { keySets } from './key-sets.ts'
import type { ScreenClient } from './screen-client.ts'

interface Props {
  instance: string
  client: RefObject<ScreenClient | undefined>
  isConnected: boolean
  /** Why keys cannot be sent. */
  whyNoKeyboard: string | undefined
  whyNotConnect: string | undefined
  /** What was copied on the instance. */
  copied: string | undefined
  hasPicture: boolean
  isFit: boolean
  onFit: () => void
  onPaste: () => void
  onReconnect: () => void
  fullScreen: ReturnType<typeof useFullScreen>
}

/** The actions of a screen. */
export function ScreenToolbar({ client, fullScreen, ...props }: Props) {
  const { instance, copied, hasPicture, isFit, whyNoKeyboard } = props
  return (
    <div role="toolbar" aria-label="Screen" className="flex flex-wrap items-center gap-1">
      <MenuButton
        label="Send keys"
        entries={() =>
          keySets.map(([label, keys]) => ({
            label,
            ...(whyNoKeyboard && { disabled: whyNoKeyboard }),
            onSelect: () => {
              client.current?.press(...keys)
              client.current?.focus()
            },
          }))
        }
      >
        {(trigger) => (
          <Button {...trigger} kind="quiet" className="coarse:min-h-11">
            <Keyboard aria-hidden strokeWidth={1.75} className="size-4" />
            Keys
          </Button>
        )}
      </MenuButton>
      <Tool
        label="Paste as typing"
        icon={ClipboardPaste}
        disabledReason={whyNoKeyboard}
        onClick={props.onPaste}
      />
      <Tool
        label="Copy from the instance"
        icon={Copy}
        disabledReason={
          copied === undefined ? 'The instance has copied nothing that it shares with its screen' : undefined
        }
        onClick={() => {
          if (copied === undefined) return
          void copyText(copied).then((isCopied) => {
            if (isCopied) toast.success('Copied from the instance')
          })
        }}
      />
      <Tool
        label="Download screenshot"
        icon={Camera}
        disabledReason={hasPicture ? undefined : 'There is no picture yet'}
        onClick={() =>
          void client.current?.picture().then((image) => {
            if (image) saveFile(`${instance}-screen.png`, image)
          })
        }
      />
      <Tool
        label={isFit ? 'Show in its own size' : 'Fit into the window'}
        icon={Scaling}
        onClick={props.onFit}
      />
      {fullScreen.isPossible && (
        <Tool
          label={fullScreen.isFull ? 'Exit full screen' : 'Full screen'}
          icon={fullScreen.isFull ? Minimize : Maximize}
          onClick={() => {
            fullScreen.toggle()
            client.current?.focus()
          }}
        />
      )}
      <Tool
        label="Reconnect"
        icon={PlugZap}
        disabledReason={props.whyNotConnect}
        onClick={props.onReconnect}
      />
    </div>
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
