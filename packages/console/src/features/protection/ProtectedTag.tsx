import { Tag } from '#/ui/data/Tag.tsx'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import { protectedAgainstText } from './against.ts'
import { useProtectionsById } from './use-protections.tsx'
import { protectionText } from './words.ts'

interface Props {
  /** Without one, of what is the silo's. */
  project: string | undefined
  id: string
}

/** Beside the name of an object: who protected it against what, and why. Nothing if it is not protected. */
export function ProtectedTag({ project, id }: Props) {
  const protection = useProtectionsById(project).get(id)
  if (!protection) return null
  return (
    <Tooltip
      content={
        <>
          {protectedAgainstText(protection)} <br />
          {protectionText(protection)}
        </>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the reason shows on focus. */}
      <span tabIndex={0} className="rounded-tag">
        <Tag>Protected</Tag>
      </span>
    </Tooltip>
  )
}
