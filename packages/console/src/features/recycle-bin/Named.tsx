import { useNavigate } from '@tanstack/react-router'
import { Button } from '#/ui/Button.tsx'
import { Dialog } from '#/ui/overlays/Dialog.tsx'
import { recycledOf } from './queries.ts'
import { Restore } from './Restore.tsx'
import { useFirst } from './use-first.ts'

/** The object that the URL names, over the list. */
export function Named({ object, project }: { object: string; project: string | undefined }) {
  const navigate = useNavigate()
  const { data } = useFirst(recycledOf(object, project))
  const close = () =>
    void navigate({ to: '.', search: (search) => ({ ...search, object: undefined }), replace: true })
  if (!data) return null
  const [item] = data.items
  if (item) return <Restore item={item} isWhole={item.needsParent} onClose={close} />
  return (
    <Dialog
      title="Not in the recycle bin"
      width="narrow"
      onRequestClose={close}
      footer={
        <Button size="lg" kind="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <p>It was restored, or deleted for good, or the silo kept nothing when it was deleted.</p>
    </Dialog>
  )
}
