import { sentenceCase } from '#/ui/format.ts'
import type { Source } from './queries.ts'

/** Display names of the objects that roles are assigned on. */
export interface PlaceNames {
  silo: string
  project?: string
}

function placeOf({ assignedOn }: Source, { silo, project = '' }: PlaceNames): string {
  if (assignedOn === 'fleet') return 'the fleet'
  return assignedOn === 'silo' ? `silo ${silo}` : `project ${project}`
}

/** The source of a role: `Collaborator on silo demo, through group engineers`. */
export function sourceWords(source: Source, names: PlaceNames): string {
  const assigned = `${sentenceCase(source.assignedRole)} on ${placeOf(source, names)}`
  return source.group ? `${assigned}, through group ${source.group.displayName}` : assigned
}
