import type { StateFamily } from '#/ui/data/StatePlate.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { kindWord } from '#/kit/page/stored-values.ts'
import type { SavedPlan } from './queries.ts'

const families: Record<SavedPlan['state'], StateFamily> = {
  open: 'care',
  committed: 'ok',
  withdrawn: 'gone',
  expired: 'gone',
}

export const PlanPlate = ({ state }: Pick<SavedPlan, 'state'>) => (
  <StatePlate family={families[state]}>{sentenceCase(state)}</StatePlate>
)

/** `Vpc firewall rules update` of VPC `default`: as the audit log calls the operation. */
export const operationText = ({ operation }: Pick<SavedPlan, 'operation'>): string => sentenceCase(operation)

export const aboutText = ({ about, project }: Pick<SavedPlan, 'about' | 'project'>): string => {
  if (!about) return project?.name ?? 'The silo'
  return about.name === null ? sentenceCase(kindWord(about.kind)) : `${kindWord(about.kind)} ${about.name}`
}

export const nameOf = (person: { name: string | null }): string => person.name ?? 'a user who was deleted'
