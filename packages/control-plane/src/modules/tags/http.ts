import { implement } from '../../pipeline/implement.ts'
import { listKeys, listValues } from './counts.ts'
import { updateTagDemand, viewTagDemand } from './demand.ts'
import { editTags, listTags, updateTags, viewTags } from './edit.ts'

export const tagsHttp = implement({
  tagsView: viewTags,
  tagsUpdate: updateTags,
  tagsEdit: editTags,
  tagsList: listTags,
  tagKeyList: listKeys,
  tagValueList: listValues,
  tagDemandView: viewTagDemand,
  tagDemandUpdate: updateTagDemand,
})
