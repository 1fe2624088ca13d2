CREATE TABLE "nightshift"."catch_alls" (
	"domain" text NOT NULL,
	"hosts" text NOT NULL,
	"state" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "catch_alls_domain_hosts_pk" PRIMARY KEY("domain","hosts")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."mailbox_rechecks" (
	"lookup_id" bigint PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"round" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."mailboxes" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"finding" text,
	"catch_all" text,
	"host" text,
	"reply" jsonb,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"duration_ms" integer,
	"checked_at" timestamp with time zone,
	"retry_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"unanswered" smallint DEFAULT 0 NOT NULL,
	"asked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."opt_outs" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "opt_outs_kind_key_pk" PRIMARY KEY("kind","key"),
	CONSTRAINT "opt_outs_kind" CHECK ("nightshift"."opt_outs"."kind" IN ('domain', 'person'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."probe_blocks" (
	"mx_group" text NOT NULL,
	"egress" text NOT NULL,
	"finding" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "probe_blocks_mx_group_egress_pk" PRIMARY KEY("mx_group","egress")
);
--> statement-breakpoint
CREATE TABLE "nightshift"."probe_budgets" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"slices" bigint[] NOT NULL,
	"uses" integer[] NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "probe_budgets_scope_key_pk" PRIMARY KEY("scope","key"),
	CONSTRAINT "probe_budgets_scope" CHECK ("nightshift"."probe_budgets"."scope" IN ('group', 'domain', 'egress'))
);
--> statement-breakpoint
CREATE TABLE "nightshift"."probe_sessions" (
	"mx_group" text PRIMARY KEY NOT NULL,
	"token" uuid NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "mailbox_rechecks_by_due" ON "nightshift"."mailbox_rechecks" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "mailboxes_by_age" ON "nightshift"."mailboxes" USING btree ("asked_at");