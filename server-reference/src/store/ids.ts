declare const kind: unique symbol;

/**
 * The id of one kind of record: a string that the compiler distinguishes from other strings and from ids of
 * other kinds. Ids come only from records and `nextId`.
 */
export type Id<Kind extends string> = string & { readonly [kind]: Kind };

export type WorldId = Id<'world'>;
export type TenantId = Id<'tenant'>;
export type UserId = Id<'user'>;
export type ApiKeyId = Id<'API key'>;
/** The secret of an API key, by which its record is keyed. */
export type ApiKeySecret = Id<'secret of an API key'>;
/** Of a workflow or an agent. */
export type AutomationId = Id<'automation'>;
/** Of a version of an automation. */
export type VersionId = Id<'version'>;
export type FolderId = Id<'folder'>;
export type TemplateId = Id<'template'>;
export type ExampleId = Id<'example'>;
export type ExperimentId = Id<'experiment'>;
export type ReviewRequestId = Id<'review request'>;
export type ReviewItemId = Id<'item of a review request'>;
export type ReviewEventId = Id<'event of a review request'>;
export type FileId = Id<'file'>;
export type UploadId = Id<'upload'>;
export type RunId = Id<'run'>;
export type WebhookEndpointId = Id<'webhook endpoint'>;
export type EventId = Id<'event'>;
export type DeliveryId = Id<'delivery'>;

interface IdsByPrefix {
  world_: WorldId;
  tenant_: TenantId;
  user_: UserId;
  key_: ApiKeyId;
  hpk_: ApiKeySecret;
  wf_: AutomationId;
  agent_: AutomationId;
  ver_: VersionId;
  folder_: FolderId;
  tmpl_: TemplateId;
  ex_: ExampleId;
  exp_: ExperimentId;
  review_: ReviewRequestId;
  ritem_: ReviewItemId;
  revent_: ReviewEventId;
  file_: FileId;
  upload_: UploadId;
  exec_: RunId;
  whep_: WebhookEndpointId;
  whev_: EventId;
  dlv_: DeliveryId;
}

/** The type of ids with this prefix; string if no record of the state is keyed by them. */
export type IdOf<Prefix extends string> = Prefix extends keyof IdsByPrefix
  ? IdsByPrefix[Prefix]
  : string;
