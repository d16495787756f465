import X from 'lucide-react/icons/x'
import { useId, type ReactNode } from 'react'

import { IconButton } from '../Button.tsx'
import { classes } from '../classes.ts'
import { Modal, type CloseReason } from './Modal.tsx'

const widths = {
  narrow: 'max-w-narrow',
  medium: 'max-w-medium',
  free: 'max-w-[min(var(--dialog-free),calc(100vw-2rem))] min-w-[min(var(--dialog-narrow),calc(100vw-2rem))] w-fit!',
}

type Props = {
  title: ReactNode
  width?: keyof typeof widths
  footer?: ReactNode
  onRequestClose: (reason: CloseReason) => void
  children: ReactNode
}

/** A centred dialog, open while mounted. */
export function Dialog({ title, width = 'medium', footer, onRequestClose, children }: Props) {
  const titleId = useId()
  return (
    <Modal
      aria-labelledby={titleId}
      onRequestClose={onRequestClose}
      className={classes(
        'm-auto mt-[max(1rem,calc((100dvh-min(50rem,80dvh))*0.5))] w-[calc(100vw-2rem)] rounded-float bg-float text-text shadow-dialog',
        'overflow-hidden outline-none md:mt-[max(1rem,14dvh)] forced:border',
        widths[width],
      )}
    >
      <div className="flex max-h-[min(50rem,80dvh)] flex-col">
        <h2 id={titleId} className="shrink-0 pt-4 pr-14 pb-1.5 pl-5 text-md wrap-anywhere">
          {title}
        </h2>
        <div className="min-h-0 grow space-y-2 overflow-y-auto overscroll-contain px-5 pt-1 pb-4.5 wrap-break-word">
          {children}
        </div>
        {footer && (
          <div className="flex shrink-0 flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
            {footer}
          </div>
        )}
      </div>
      {/* Last in tab order, because closing is the least likely aim. */}
      <IconButton
        label="Close"
        kind="quiet"
        className="absolute! top-2.5 right-2.5"
        onClick={() => onRequestClose('button')}
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </Modal>
  )
}
