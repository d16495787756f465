import { sql } from 'kysely'
import type { Change } from '@gantry/control-plane/change/change'
import { conflict } from '@gantry/control-plane/context/refusal'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Row } from '@gantry/control-plane/db/tables'

type Image = Row<'image'>

/** Some of the instances that have an image in a CD drive, in any project of its silo. */
export async function instancesWithCd(
  db: Reader,
  image: Pick<Image, 'id'>,
): Promise<{ id: string; name: string; project_id: string; silo_id: string }[]> {
  return db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['instance.id', 'instance.name', 'instance.project_id', 'project.silo_id'])
    .where(sql<boolean>`instance.cds @> jsonb_build_array(${image.id}::text)`)
    .where('instance.cds', 'is not', null)
    .where('instance.time_deleted', 'is', null)
    .orderBy('instance.name')
    .limit(heldMax)
    .execute()
}

/** As many as a plan names. */
const heldMax = 20

/** Why an image is not deleted: what is in a drive stays readable. */
export async function refuseInDrive(tx: Change, image: Image): Promise<void> {
  const [first, ...more] = await instancesWithCd(tx.read, image)
  if (!first) return
  const isShown = first.project_id === image.project_id
  const where = isShown ? `instance ${first.name}` : 'an instance of another project'
  throw conflict(
    `image ${image.name} is in a CD drive of ${where}${more.length > 0 ? ` and of ${more.length} more` : ''}`,
    'Eject it there first.',
  )
}
