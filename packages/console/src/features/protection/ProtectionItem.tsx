import { DataItem } from '#/ui/data/DataPlate.tsx'
import { protectedAgainstText } from './against.ts'
import { useProtectionsById } from './use-protections.tsx'
import { protectionText } from './words.ts'

/** Among the properties of a panel: who protected the object against what, and why. */
export function ProtectionItem({ project, id }: { project: string | undefined; id: string }) {
  const protection = useProtectionsById(project).get(id)
  if (!protection) return null
  return (
    <DataItem label="Protection" wide>
      <p>{protectedAgainstText(protection)}</p>
      <p className="wrap-anywhere text-muted">{protectionText(protection)}</p>
    </DataItem>
  )
}
