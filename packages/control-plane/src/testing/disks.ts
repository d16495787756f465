import type { TestBed } from './control-plane.ts'

/** A request to adopt a disk that is nowhere; gives its id. */
export async function addAdoptionRequest({ db }: Pick<TestBed, 'db'>): Promise<string> {
  const id = crypto.randomUUID()
  await db
    .insertInto('disk_adoption_request')
    .values({
      id,
      time_created: new Date(),
      time_modified: new Date(),
      vendor: 'Norrland',
      serial: `X-${id}`,
      model: 'NU-3200',
    })
    .execute()
  return id
}
