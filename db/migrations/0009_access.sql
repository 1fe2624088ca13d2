CREATE TABLE "nightshift"."api_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"account_id" bigint NOT NULL,
	"name" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "api_keys_public_id_unique" UNIQUE("public_id"),
	CONSTRAINT "api_keys_digest_unique" UNIQUE("digest"),
	CONSTRAINT "api_keys_name_length" CHECK (length("nightshift"."api_keys"."name") BETWEEN 1 AND 200),
	CONSTRAINT "api_keys_digest_length" CHECK (length("nightshift"."api_keys"."digest") = 32)
);
--> statement-breakpoint
CREATE TABLE "nightshift"."audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nightshift"."audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"account_id" bigint,
	"event" text NOT NULL,
	"key_id" text,
	"actor" text NOT NULL,
	"address" text,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightshift"."idempotency_keys" (
	"account_id" bigint NOT NULL,
	"key" text NOT NULL,
	"request_id" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"token" uuid,
	"lease_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"status" integer,
	"headers" jsonb,
	"body" "bytea",
	CONSTRAINT "idempotency_keys_account_id_key_pk" PRIMARY KEY("account_id","key"),
	CONSTRAINT "idempotency_keys_key_length" CHECK (length("nightshift"."idempotency_keys"."key") BETWEEN 1 AND 255),
	CONSTRAINT "idempotency_keys_state" CHECK (CASE WHEN "nightshift"."idempotency_keys"."token" IS NULL THEN "nightshift"."idempotency_keys"."lease_until" IS NULL AND "nightshift"."idempotency_keys"."status" BETWEEN 200 AND 299
        AND "nightshift"."idempotency_keys"."body" IS NOT NULL AND "nightshift"."idempotency_keys"."headers" IS NOT NULL
        ELSE "nightshift"."idempotency_keys"."lease_until" IS NOT NULL AND "nightshift"."idempotency_keys"."status" IS NULL AND "nightshift"."idempotency_keys"."body" IS NULL END)
);
--> statement-breakpoint
ALTER TABLE "nightshift"."api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nightshift"."audit_log" ADD CONSTRAINT "audit_log_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "nightshift"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_by_account" ON "nightshift"."api_keys" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_by_account" ON "nightshift"."audit_log" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_age" ON "nightshift"."idempotency_keys" USING btree ("created_at");