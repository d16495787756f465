import type { ReactNode } from 'react'

import { Button } from '../Button.tsx'
import { Dialog } from './Dialog.tsx'

type Props = {
  title: ReactNode
  children: ReactNode
  kind?: 'primary' | 'danger'
  confirmLabel?: string
  /** The -ing form of the confirm label, shown while pending. */
  pendingLabel?: string
  cancelLabel?: string
  pending?: boolean
  width?: 'narrow' | 'medium'
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation. Focus starts on Cancel, and the dialog stays open while the action runs. */
export function ConfirmDialog({
  title,
  children,
  kind = 'primary',
  confirmLabel = 'Confirm',
  pendingLabel,
  cancelLabel = 'Cancel',
  pending,
  width,
  onConfirm,
  onCancel,
}: Props) {
  const cancel = () => {
    if (!pending) onCancel()
  }
  return (
    <Dialog
      title={title}
      width={width}
      onRequestClose={cancel}
      footer={
        <>
          <Button size="lg" data-initial-focus onClick={cancel}>
            {cancelLabel}
          </Button>
          <Button size="lg" kind={kind} pending={pending} pendingLabel={pendingLabel} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
