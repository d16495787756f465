import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

interface Props {
  title: string
  label: string
  /** Undefined while the plan is read. */
  whyNot: string | undefined
  onClose: () => void
}

/** In place of a plan: it is being read, or cannot be carried out now. */
export function NotYet({ title, label, whyNot, onClose }: Props) {
  return (
    <DialogForm
      title={title}
      submitLabel={label}
      pendingLabel={label}
      disabled={whyNot}
      initial={{}}
      save={async () => undefined}
      saved={() => ''}
      onClose={onClose}
    >
      {whyNot ? <p>Nothing has changed.</p> : <Skeleton className="h-24 w-full" />}
    </DialogForm>
  )
}
