// @chunk apart: seen once for each secret, after its form.
import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  title: string
  children: ReactNode
  onClose: () => void
}

/** Shows a secret that is never shown again. Only `Done` closes it, so that no stray click loses it. */
export const SecretDialog = ({ title, children, onClose }: Props) => (
  <Dialog
    title={title}
    onRequestClose={(reason) => {
      if (reason !== 'overlay') onClose()
    }}
    footer={
      <Button size="lg" kind="primary" onClick={onClose}>
        Done
      </Button>
    }
  >
    {children}
  </Dialog>
)
