import { type Dated, without } from '../dated.ts'

const times = without('time_created', 'time_modified')

export const timesOfUsers: Dated = {
  version: 2026030200,
  types: { CurrentUser: times, Group: times, User: times },
}
