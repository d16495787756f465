import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { IconButton } from '#/ui/Button.tsx'
import { Mark } from '#/ui/data/Mark.tsx'
import { Modal } from '#/ui/overlays/Modal.tsx'
import { Scope } from './Scope.tsx'

/** The rail on narrow screens, opened by the menu button. */
export function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Modal
      aria-label="Navigation"
      onRequestClose={onClose}
      className="my-0 mr-auto ml-0 h-dvh w-[min(18rem,calc(100vw-3rem))] bg-rail text-text shadow-dialog outline-none forced:border-r"
    >
      <div className="flex h-full flex-col gap-4 overflow-y-auto px-2.5 py-3">
        <div className="flex items-center gap-2 px-1">
          <Mark />
          <Scope />
          <IconButton label="Close" kind="quiet" tip={false} onClick={onClose}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
        {children}
      </div>
    </Modal>
  )
}
